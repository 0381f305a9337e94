/** The part of smtp-server that the tests use; the package carries no types. */
declare module 'smtp-server' {
  import type { Server } from 'node:net';
  import type { Readable } from 'node:stream';

  type Done = (error?: Error | null, answer?: { user: string }) => void;

  export class SMTPServer {
    server: Server;
    connections: Set<{ close(): void }>;
    constructor(options: {
      authOptional: boolean;
      disabledCommands: string[];
      allowInsecureAuth?: boolean;
      onAuth?(auth: unknown, session: unknown, done: Done): void;
      onRcptTo?(address: unknown, session: unknown, done: Done): void;
      onData?(stream: Readable, session: unknown, done: Done): void;
    });
    listen(port: number, host: string, ready: () => void): void;
    close(done: () => void): void;
  }
}
