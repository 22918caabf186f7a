/**
 * What every call of the Responses API carries. Nothing is stored at the provider: its references expire, a session
 * does not; reasoning goes back and forth encrypted instead. Schemas are the tenant's and need not fit the strict subset.
 */
export const responsesOptions = (showReasoning: boolean) => ({
  store: false,
  strictJsonSchema: false,
  reasoningSummary: showReasoning ? 'auto' : null,
});
