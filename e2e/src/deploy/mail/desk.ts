/** Neither UTC nor on the hour, and without summer time. */
export const timeZone = 'Asia/Kathmandu';
export const minutes = 45;
/** Far more than a line of iCalendar may have, in characters of one to four bytes, and with those that it escapes. */
export const title =
  'Übergabe & Probefahrt: größeres Lastenrad, mit Anhänger; 自転車の試乗と受け渡し 🚲 — пробная поездка, تجربة القيادة';
export const location = 'Große Straße 12; Hof, 2. Stock – 本館';
export const from = { name: 'Fahrradhaus Grüße, 自転車', address: 'desk@shop.example' };
export const guest = { name: 'Zoë Łukasiewicz-Müller; 山田, 太郎', address: 'zoe@example.com' };
export const note = 'Bitte zwei Räder; Fotos folgen\nBis bald, お願いします';
