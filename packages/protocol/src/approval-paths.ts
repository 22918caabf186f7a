/** Where whoever was written to looks at what waits for an approval. */
export const approvalPagePattern = (platform: string) => `/${platform}/v1/approvals/:id` as const;

/** Where the buttons of the page lead. */
export const approvalAnswerPattern = (platform: string, answer: 'approve' | 'deny') =>
  `${approvalPagePattern(platform)}/${answer}` as const;
