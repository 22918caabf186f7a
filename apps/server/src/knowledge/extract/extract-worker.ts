import { parentPort } from 'node:worker_threads';
import type { ExtractReply, ExtractRequest } from './extracted.ts';
import { htmlText } from './html-text.ts';

async function reply({ id, mediaType, content, address }: ExtractRequest): Promise<ExtractReply> {
  try {
    const text = typeof content === 'string' ? content : new TextDecoder().decode(content);
    if (/^(?:text\/html|application\/xhtml\+xml)$/.test(mediaType))
      return { id, extracted: htmlText(text, address) };
    return { id, extracted: { title: '', language: null, text, links: [] } };
  } catch (error) {
    const tooDeep = error instanceof RangeError;
    return {
      id,
      problem: tooDeep ? 'It is nested too deeply to be read.' : 'It could not be read: it is damaged.',
    };
  }
}

parentPort?.on('message', (request: ExtractRequest) => {
  void reply(request).then((answer) => parentPort?.postMessage(answer));
});
