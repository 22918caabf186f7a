import { problemStatus } from '@parley/protocol/problem';
import type { ErrorRequestHandler } from 'express';
import type { Logger } from '../../logger.ts';
import { sendProblem } from '../problem.ts';
import { toProblem } from '../to-problem.ts';
import type { Cors } from './cors.ts';
import { requestIdOf } from './request-id.ts';

/** Turns whatever a route throws into the one error shape, readable by the page that asked. */
export function errorHandler(cors: Cors, logger: Logger): ErrorRequestHandler {
  return async (error: unknown, request, response, _next) => {
    const requestId = requestIdOf(response);
    const problem = toProblem(error);
    if (problemStatus[problem.code] >= 500) logger.error({ requestId, err: error }, 'The request failed.');
    if (response.headersSent) {
      // The caller must see that the answer is not whole.
      response.destroy();
      return;
    }
    if (cors.covers(request.path)) {
      try {
        await cors.explain(request, response);
      } catch (second) {
        logger.error({ requestId, err: second }, 'The origin of a failed request could not be judged.');
      }
    }
    sendProblem(response, problem, requestId);
  };
}
