/** What a page is told of a conversation, once each. */
export type ConversationEvents = {
  /** A message of the visitor or a finished answer of the agent, never one from before the page. */
  message: { role: 'visitor' | 'agent'; text: string; turnId: string };
  approval: { requestId: string; toolName: string };
  question: { requestId: string; prompt: string };
};

export type ConversationEvent = {
  [Name in keyof ConversationEvents]: readonly [Name, ConversationEvents[Name]];
}[keyof ConversationEvents];
