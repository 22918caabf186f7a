import { approvalAnswerPattern, approvalPagePattern } from './approval-paths.ts';
import { redirectResponse, type Route } from './route.ts';

const page = { 'text/html': 'text' } as const;
const ofMail = { tag: 'Service', principal: 'anyone', problems: [] } as const;
const answered = [
  redirectResponse(303, 'To the page, which says what came of it.', 'The page.'),
  { status: 200, description: 'Why it counts for nothing, in words.', content: page },
  { status: 404, description: 'The link is none of this service.', content: page },
] as const;

/** How somebody answers an approval by the link that they were sent. */
export const approvalRoutes = (platform: string) =>
  [
    {
      ...ofMail,
      name: 'approvalPage',
      method: 'get',
      path: approvalPagePattern(platform),
      summary: 'Shows whoever was written to what waits for an approval. Reading it answers nothing',
      responses: [
        { status: 200, description: 'What would be done, or what became of it.', content: page },
        { status: 404, description: 'The link is none of this service.', content: page },
      ],
    },
    {
      ...ofMail,
      name: 'approveByLink',
      method: 'post',
      path: approvalAnswerPattern(platform, 'approve'),
      summary: 'Approves what the link was sent for, once',
      responses: answered,
    },
    {
      ...ofMail,
      name: 'denyByLink',
      method: 'post',
      path: approvalAnswerPattern(platform, 'deny'),
      summary: 'Denies what the link was sent for',
      responses: answered,
    },
  ] as const satisfies readonly Route[];
