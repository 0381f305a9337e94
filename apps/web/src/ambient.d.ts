declare module '*.po' {
  import type { Messages } from '@lingui/core';
  export const messages: Messages;
}

/** Written by `build/help.ts`. */
declare module '*/generated/help.json' {
  const content: unknown;
  export default content;
}

/** Written by `build/generated.ts`; declared here so that types can be checked before it exists. */
declare module '*/generated/console-contract.json' {
  const contract: unknown;
  export default contract;
}

declare module '*/generated/contract.json' {
  import type { AnyContractRouter } from '@orpc/contract';

  const contract: AnyContractRouter;
  export default contract;
}
