declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  /** The part of the provider that the journeys use; the package has no types. */
  export default class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    callback(): RequestListener;
    readonly Client: { prototype: { compareClientSecret(secret: string): Promise<boolean> | boolean } };
  }
}
