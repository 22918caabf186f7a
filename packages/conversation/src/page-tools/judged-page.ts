import { createPageContext } from './page-context.ts';
import { judgeContext, judgeTool } from './page-rules.ts';

/** What a page says before there is a conversation that could judge it. */
export const createJudgedPage = () => createPageContext(async () => ({ judgeContext, judgeTool }));
