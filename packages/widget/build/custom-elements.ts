const text = { text: 'string' };
const attribute = (name: string, description: string, values?: string) => ({
  name,
  description,
  type: values ? { text: values } : text,
});
/** Under both of its names. */
const event = (name: string, description: string) =>
  [':', '-'].map((sign) => ({ name: `parley${sign}${name}`, description, type: { text: 'CustomEvent' } }));
const method = (name: string, description: string) => ({ kind: 'method', name, description });
const property = (name: string, description: string, fallback: string) => ({
  name,
  description,
  default: fallback,
});

/** The element for editors and documentation, as a custom elements manifest. */
export const customElements = {
  schemaVersion: '1.0.0',
  modules: [
    {
      kind: 'javascript-module',
      path: 'dist/npm/element.js',
      declarations: [
        {
          kind: 'class',
          name: 'ParleyChat',
          tagName: 'parley-chat',
          customElement: true,
          description: 'A chat with an agent; it fills its container, or waits behind a launcher.',
          superclass: { name: 'HTMLElement' },
          attributes: [
            attribute('service', 'The service’s address. Required.'),
            attribute('publishable-key', 'The publishable key, pk_live_… Required.'),
            attribute('mode', 'Fills its container, or waits behind a launcher.', "'inline' | 'bubble'"),
            attribute('name', 'What the launcher is called.'),
            attribute('theme', 'The colours.', "'light' | 'dark' | 'auto'"),
            attribute('accent', 'A colour as in #2563eb.'),
            attribute('position', 'The launcher’s side.', "'start' | 'end'"),
            attribute('locale', 'A language tag; the page’s language by default.'),
            attribute('launcher', 'Selector of the page’s own launchers.'),
            attribute('widget-id', 'Which data-parley-open is meant for this widget.'),
            attribute('offset-x', 'Between the launcher and the side of the window.'),
            attribute('offset-y', 'Between the launcher and the bottom of the window.'),
            attribute('z-index', 'Of the launcher and the panel.'),
            attribute('teaser', 'A line beside the launcher; empty for the one in the agent’s settings.'),
            attribute('history', 'On a phone, Back closes the panel.'),
            attribute('fallback', 'Another way of reaching you where the chat does not work: an address.'),
          ],
          members: [
            method('open', 'Opens the panel; with {focus: false} the focus stays where it is.'),
            method('close', 'Closes the panel.'),
            method('toggle', 'Opens or closes the panel.'),
            method('send', 'Sends a text as the visitor.'),
            method('prefill', 'Puts a text into the field.'),
            {
              kind: 'field',
              name: 'widget',
              readonly: true,
              description: 'All calls, as long as the element is in a document.',
            },
          ],
          events: [
            ...event('open', 'The panel was opened.'),
            ...event('close', 'The panel was closed.'),
            ...event('ready', 'The configuration is here.'),
            ...event('before-send', 'Cancelable. detail: {text}'),
            ...event('before-open-link', 'Cancelable. detail: {url}'),
            ...event('message', 'detail: {role, text, turnId}'),
            ...event('approval', 'detail: {requestId, toolName}'),
            ...event('question', 'detail: {requestId, prompt}'),
            ...event('unread', 'detail: {count}'),
            ...event('error', 'detail: {code, message}'),
          ],
          cssProperties: [
            property('--parley-offset-x', 'Between the launcher and the side of the window.', '20px'),
            property('--parley-offset-y', 'Between the launcher and the bottom of the window.', '20px'),
            property('--parley-z-index', 'Of the launcher and the panel.', '2147480000'),
          ],
        },
      ],
      exports: [
        {
          kind: 'js',
          name: 'ParleyChat',
          declaration: { name: 'ParleyChat', module: 'dist/npm/element.js' },
        },
        {
          kind: 'custom-element-definition',
          name: 'parley-chat',
          declaration: { name: 'ParleyChat', module: 'dist/npm/element.js' },
        },
      ],
    },
  ],
};
