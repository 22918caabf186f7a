import { settingsBounds, smallBounds } from './body-bounds.ts';
import { settingsPath } from './paths.ts';
import { jsonBody, jsonResponse, named, type Route } from './route.ts';
import { pageQuery } from './settings/page.ts';
import { questionTrialSchema, questionTrialViewSchema } from './settings/question-trial.ts';
import {
  comparedRevisionSchema,
  compareQuery,
  discardQuery,
  draftPatchSchema,
  draftViewSchema,
  previewViewSchema,
  publishSchema,
  restoreSchema,
  revisionViewSchema,
} from './settings/revision.ts';
import { listView } from './settings/view.ts';

const reads = { tag: 'Settings', principal: 'settings', role: 'viewer' } as const;
const changes = { tag: 'Settings', principal: 'settings', role: 'admin' } as const;
const problems = ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'] as const;
const bodyProblems = ['BAD_REQUEST', ...problems, 'TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const;
const draft = named('AgentDraft', draftViewSchema);
const agent = `${settingsPath}/agents/:id`;

/** The draft of an agent, what was published before, and how somebody tries the draft out. */
export const revisionRoutes = [
  {
    ...reads,
    name: 'readDraft',
    method: 'get',
    path: `${agent}/draft`,
    summary: 'Read the draft of an agent, which is like live where there is none',
    responses: [jsonResponse(200, 'The draft.', draft)],
    problems,
  },
  {
    ...changes,
    name: 'updateDraft',
    method: 'patch',
    path: `${agent}/draft`,
    summary: 'Change the draft of an agent: fields left out stay, null restores the default',
    body: jsonBody('AgentDraftPatch', draftPatchSchema, settingsBounds),
    responses: [jsonResponse(200, 'As it is stored now.', draft)],
    problems: [...bodyProblems, 'CONFLICT'],
  },
  {
    ...changes,
    name: 'discardDraft',
    method: 'delete',
    path: `${agent}/draft`,
    summary: 'Discard the draft of an agent, if there is one',
    query: discardQuery,
    responses: [{ status: 204, description: 'There is none.' }],
    problems: ['BAD_REQUEST', ...problems, 'CONFLICT'],
  },
  {
    ...changes,
    name: 'publishDraft',
    method: 'post',
    path: `${agent}/publish`,
    summary: 'Publish the draft of an agent as its next revision; without changes nothing is done',
    body: jsonBody('AgentPublish', publishSchema, smallBounds),
    responses: [jsonResponse(200, 'The draft, which is like live now.', draft)],
    problems: [...bodyProblems, 'CONFLICT'],
  },
  {
    ...reads,
    name: 'listRevisions',
    method: 'get',
    path: `${agent}/revisions`,
    summary: 'List the last 200 revisions of an agent, latest first',
    query: pageQuery({}),
    responses: [jsonResponse(200, 'One page.', named('RevisionList', listView(revisionViewSchema)))],
    problems: ['BAD_REQUEST', ...problems],
  },
  {
    ...reads,
    name: 'readRevision',
    method: 'get',
    path: `${agent}/revisions/:revision`,
    summary: 'Read a revision, compared with what is live or with the draft',
    query: compareQuery,
    responses: [jsonResponse(200, 'With what differs.', named('Revision', comparedRevisionSchema))],
    problems: ['BAD_REQUEST', ...problems],
  },
  {
    ...changes,
    name: 'restoreRevision',
    method: 'post',
    path: `${agent}/revisions/:revision/restore`,
    summary: 'Bring a revision back, into the draft or live; credentials stay those of now',
    body: jsonBody('RevisionRestore', restoreSchema, smallBounds),
    responses: [jsonResponse(200, 'The draft as it is now.', draft)],
    problems: [...bodyProblems, 'CONFLICT'],
  },
  {
    ...reads,
    role: 'agent',
    name: 'tryQuestion',
    method: 'post',
    path: `${agent}/try`,
    summary: 'Ask the draft of an agent, or what is live, a question outside every conversation',
    body: jsonBody('QuestionTrial', questionTrialSchema, settingsBounds),
    responses: [
      jsonResponse(
        200,
        'The answer, of which nothing is kept.',
        named('QuestionTrialResult', questionTrialViewSchema),
      ),
    ],
    problems: [...bodyProblems, 'RATE_LIMITED', 'QUOTA_EXCEEDED'],
  },
  {
    tag: 'Settings',
    principal: 'member',
    role: 'agent',
    name: 'openPreview',
    method: 'post',
    path: `${agent}/preview`,
    summary: 'Make the key with which a member speaks to the draft',
    responses: [
      jsonResponse(201, 'The same for as long as they are signed in.', named('Preview', previewViewSchema)),
    ],
    problems,
  },
] as const satisfies readonly Route[];
