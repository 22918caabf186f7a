import { settingsBounds, smallBounds } from './body-bounds.ts';
import { settingsPath } from './paths.ts';
import { jsonBody, jsonResponse, named, type Route } from './route.ts';
import { pageQuery } from './settings/page.ts';
import { openQuestionSchema, questionAnswerSchema, questionDismissalSchema } from './settings/question.ts';
import { sourceFileQuerySchema, sourceViewSchema } from './settings/source.ts';
import { listView } from './settings/view.ts';
import {
  agentProposalSchema,
  pageCheckSchema,
  promptProposalSchema,
  sourcePageSchema,
  websiteAddressSchema,
} from './settings/website.ts';

const reads = { tag: 'Settings', principal: 'settings', role: 'viewer' } as const;
const changes = { tag: 'Settings', principal: 'settings', role: 'admin' } as const;

const changing = [
  'BAD_REQUEST',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'NOT_FOUND',
  'TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
] as const;

/** From the address of a website to an agent that answers for it, and what it could not answer. */
export const websiteRoutes = [
  {
    ...changes,
    name: 'proposeAgent',
    method: 'post',
    path: `${settingsPath}/websites/propose`,
    summary: 'Read the home page of a website and propose what its agent could be like; nothing is stored',
    body: jsonBody('WebsiteAddress', websiteAddressSchema, smallBounds),
    responses: [
      jsonResponse(
        200,
        'Also where the page could not be read.',
        named('AgentProposal', agentProposalSchema),
      ),
    ],
    problems: [
      'BAD_REQUEST',
      'UNAUTHORIZED',
      'FORBIDDEN',
      'TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
      'QUOTA_EXCEEDED',
    ],
  },
  {
    ...changes,
    name: 'checkPage',
    method: 'post',
    path: `${settingsPath}/agents/:id/page-check`,
    summary: 'Open a page and say what keeps the chat of this agent from it, as far as its HTML tells',
    body: jsonBody('WebsiteAddress', websiteAddressSchema, smallBounds),
    responses: [
      jsonResponse(200, 'Also where the page could not be opened.', named('PageCheck', pageCheckSchema)),
    ],
    problems: [
      'BAD_REQUEST',
      'UNAUTHORIZED',
      'FORBIDDEN',
      'NOT_FOUND',
      'TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
      'QUOTA_EXCEEDED',
    ],
  },
  {
    ...changes,
    name: 'uploadSource',
    method: 'post',
    path: `${settingsPath}/source-files`,
    summary:
      'Give an agent a file to know: Markdown, text, HTML, PDF or DOCX, up to 20 MiB. Its text is kept, the file is not',
    query: sourceFileQuerySchema,
    body: 'bytes',
    responses: [jsonResponse(201, 'Read.', named('Source', sourceViewSchema))],
    problems: ['BAD_REQUEST', 'UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'TOO_LARGE', 'QUOTA_EXCEEDED'],
  },
  {
    ...reads,
    name: 'listSourcePages',
    method: 'get',
    path: `${settingsPath}/sources/:id/pages`,
    summary: 'List what was read of a source, page by page',
    query: pageQuery({}),
    responses: [jsonResponse(200, 'One page.', named('SourcePageList', listView(sourcePageSchema)))],
    problems: ['BAD_REQUEST', 'UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
  },
  {
    ...reads,
    name: 'proposePrompts',
    method: 'get',
    path: `${settingsPath}/sources/:id/prompts`,
    summary: 'Propose up to four prompts by what was read of a source',
    responses: [
      jsonResponse(200, 'None where nothing was read.', named('PromptProposal', promptProposalSchema)),
    ],
    problems: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
  },
  {
    ...reads,
    name: 'listOpenQuestions',
    method: 'get',
    path: `${settingsPath}/agents/:id/questions`,
    summary: 'List what visitors asked and no source answered, the latest first',
    query: pageQuery({}),
    responses: [jsonResponse(200, 'One page.', named('OpenQuestionList', listView(openQuestionSchema)))],
    problems: ['BAD_REQUEST', 'UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
  },
  {
    ...changes,
    name: 'answerQuestion',
    method: 'post',
    path: `${settingsPath}/agents/:id/questions/answer`,
    summary: 'Make an entry of a question and its answer that the agent knows from now on',
    body: jsonBody('QuestionAnswer', questionAnswerSchema, settingsBounds),
    responses: [jsonResponse(201, 'The source with the entry.', named('Source', sourceViewSchema))],
    problems: changing,
  },
  {
    ...changes,
    name: 'dismissQuestion',
    method: 'post',
    path: `${settingsPath}/agents/:id/questions/dismiss`,
    summary: 'Take a question off the list until it is asked again',
    body: jsonBody('QuestionDismissal', questionDismissalSchema, smallBounds),
    responses: [{ status: 204, description: 'It is not in the list.' }],
    problems: changing,
  },
] as const satisfies readonly Route[];
