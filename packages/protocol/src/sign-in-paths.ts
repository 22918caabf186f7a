/** Where authorization servers read who this service is. */
export const oauthClientPath = (platform: string) => `/${platform}/v1/oauth-client.json` as const;

/** Where authorization servers send people back to. */
export const signInCallbackPath = (platform: string) => `/${platform}/v1/connections/callback` as const;

/** Where a visitor begins to sign in. */
export const signInPagePattern = (platform: string) => `/${platform}/v1/connections/sign-in/:id` as const;
