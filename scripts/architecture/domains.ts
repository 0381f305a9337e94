/** The domains in one line: each may import from those before it, never from those after it (docs/architecture.md). */
export const domains = ['people', 'talk', 'money', 'work', 'hiring', 'trust'] as const;

export type Domain = (typeof domains)[number];

const inDomain = new RegExp(`^(?:apps/(?:api|web)|packages/contract)/src/(${domains.join('|')})/`);

/** The domain a file belongs to on any of the three sides; null outside the domains. */
export function domainOf(file: string): Domain | null {
  return (inDomain.exec(file)?.[1] as Domain | undefined) ?? null;
}

/** Whether an import would go up the line. News that must travel up goes through the lower domain's outcomes, wired in wire-outcomes.ts. */
export function goesUp(from: string, target: string): boolean {
  const [here, there] = [domainOf(from), domainOf(target)];
  return here !== null && there !== null && domains.indexOf(there) > domains.indexOf(here);
}
