declare module '*.po' {
  import type { Messages } from '@lingui/core';
  export const messages: Messages;
}

/** Written by `build/help.ts`. */
declare module '*/generated/help.json' {
  const content: unknown;
  export default content;
}

/** Written by `build/generated.ts`; declared here so that types can be checked before they exist. */
declare module '*/generated/operations.json' {
  const operations: Readonly<Record<string, string>>;
  export default operations;
}

declare module '*/generated/console-operations.json' {
  const operations: Readonly<Record<string, string>>;
  export default operations;
}
