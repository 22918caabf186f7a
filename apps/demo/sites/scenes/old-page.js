/* What libraries of 2007 do to a page, as Prototype 1.6 and MooTools 1.1 do. */
Array.prototype.toJSON = function () {
  return `[${this.map((each) => Object.toJSON(each)).join(', ')}]`;
};
Object.toJSON = (value) => JSON.stringify(value);
Array.prototype.reduce = function () {
  return this.length > 1 ? this : this[0];
};
Array.prototype.entries = function () {
  return this.slice();
};
Array.prototype.include = function (value) {
  return this.indexOf(value) !== -1;
};
Array.from = (list) => [].slice.call(list);
Function.prototype.bind = function (self, given) {
  return (...rest) => this.apply(self, given === undefined ? rest : [].concat(given));
};
Function.prototype.delay = function () {};
String.prototype.strip = function () {
  return this.replace(/^\s+|\s+$/g, '');
};
Object.prototype.extend = function () {};

/* What pages have called things of their own, and a Promise that can do next to nothing. */
const URL = 'https://fernhill.example';
class Map {}
window.shop = { URL, Map };
window.Set = function () {};
window.setTimeout = () => {};
window.Promise = class {
  constructor(act) {
    act(
      () => {},
      () => {},
    );
  }
};
window.fetch = async () => ({ ok: true, status: 200, text: async () => '' });
