import { wholeEvents } from '../../egress/exact-events.ts';

/** The data of each server-sent event that is a message. */
export async function* eventData(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  for await (const events of wholeEvents(body)) {
    let type = '';
    let data: string[] = [];
    // An empty line ends an event, and so does the end of the stream.
    for (const line of [...new TextDecoder().decode(events).split(/\r\n|\r|\n/), '']) {
      const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (name === 'data') data.push(value);
      if (name === 'event') type = value;
      if (line !== '') continue;
      if (data.length > 0 && (type === '' || type === 'message')) yield data.join('\n');
      type = '';
      data = [];
    }
  }
}
