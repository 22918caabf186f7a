import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/** Requests that may wait on one connection for those sent before them. */
const maxWaiting = 100;

/**
 * Begins with a request when the one before it on the same connection has its response. Node begins with all of them
 * and holds the finished responses back, whatever their size; clients hardly pipeline.
 */
export function inPipelineOrder(listener: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, (() => void)[]>();
  return (request, response) => {
    const { socket } = request;
    const begin = (queue: (() => void)[]) => {
      response.once('close', () => {
        const next = queue.shift();
        // In a task of its own: a hundred requests that are answered at once are not one.
        if (next) setImmediate(() => !socket.destroyed && next());
        else waiting.delete(socket);
      });
      listener(request, response);
    };
    const queue = waiting.get(socket);
    if (!queue) {
      const first: (() => void)[] = [];
      waiting.set(socket, first);
      begin(first);
    } else if (queue.length < maxWaiting) queue.push(() => begin(queue));
    else socket.resetAndDestroy();
  };
}
