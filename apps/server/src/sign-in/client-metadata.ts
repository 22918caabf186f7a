import { oauthClientPath, signInCallbackPath } from '@parley/protocol/sign-in-paths';

export interface ServiceAddress {
  /** Under which browsers know this service. */
  readonly publicUrl: string;
  readonly platform: string;
}

export const redirectUri = ({ publicUrl, platform }: ServiceAddress): string =>
  publicUrl + signInCallbackPath(platform);

/** Where authorization servers read who this service is; it is the id of the client. */
export const clientId = ({ publicUrl, platform }: ServiceAddress): string =>
  publicUrl + oauthClientPath(platform);

/** Who this service is to an authorization server that it has to tell. */
export const clientMetadata = (address: ServiceAddress) => ({
  client_name: 'Parley',
  client_uri: address.publicUrl,
  redirect_uris: [redirectUri(address)],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  // Nobody else comes to an address without encryption.
  application_type: address.publicUrl.startsWith('https:') ? 'web' : 'native',
});
