import { checkCalls } from './log-checker/calls.ts';
import type { History, Violation } from './log-checker/history.ts';
import { checkMessages } from './log-checker/messages.ts';
import { checkQuota } from './log-checker/quota.ts';
import { readLogs } from './log-checker/read-log.ts';
import { checkReads } from './log-checker/reads.ts';
import { checkTurns } from './log-checker/turns.ts';

/** What a history shows to be broken of the service's ten promises about its logs. */
export function checkHistory(history: History): Violation[] {
  const logs = readLogs(history);
  return [
    ...checkMessages(history, logs),
    ...checkReads(history, logs),
    ...checkTurns(logs),
    ...checkCalls(history, logs),
    ...checkQuota(history),
  ];
}
