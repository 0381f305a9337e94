import { domainOf } from './domains.ts';
import type { SourceFile } from './source-files.ts';

/**
 * Slices of one side alone, with the reason (ADR 145). Any other folder of the API or the web has its name on another side too, so that a noun is looked for
 * once.
 */
export const oneSidedSlices: Record<string, string> = {
  'money/ledger': 'nobody calls it over HTTP: people see statements',
  'money/provider': 'called by the payment provider, outside the contract',
  'money/sandbox': 'replaces a payment provider, outside the contract',
  'work/settlement':
    'agrees and releases pay for timesheets, disputes and operators, which have the operations',
  'hiring/job-import': 'run from the command line',
  'talk/outbox': 'messages that this device has yet to send, with the field they are written in',
  'work/crew': "the business's screens of its engagements; the worker's are in work/engagements",
  'people/welcome':
    'what the guard shows instead of a guarded page: the introduction, or verifying the email',
  'hiring/my-work': "the worker's screen over applications, interviews, offers and engagements",
  'hiring/finished-work': 'the screen of ended engagements of both sides, with the invitation to work again',
};

type Side = 'api' | 'web' | 'contract';

/** The sides on which each slice has files, by `domain/slice`. */
function sidesOf(files: readonly SourceFile[]): Map<string, Set<Side>> {
  const sides = new Map<string, Set<Side>>();
  for (const { path } of files) {
    const domain = domainOf(path);
    const inApp = /^apps\/(api|web)\/src\/[^/]+\/([^/]+)\//.exec(path);
    const inContract = /^packages\/contract\/src\/[^/]+\/([^/.]+)/.exec(path);
    if (domain === null || !(inApp ?? inContract)) continue;
    const slice = `${domain}/${inApp?.[2] ?? inContract?.[1]}`;
    const side = (inApp?.[1] as 'api' | 'web' | undefined) ?? 'contract';
    sides.set(slice, (sides.get(slice) ?? new Set<Side>()).add(side));
  }
  return sides;
}

/** Folders whose name stands on one side alone without a reason, and reasons that no folder needs any more. */
export function oneSidedViolations(
  files: readonly SourceFile[],
  allowed: Readonly<Record<string, string>>,
): string[] {
  const alone = [...sidesOf(files)].flatMap(([slice, sides]) => {
    const [side] = sides;
    return sides.size === 1 && side !== undefined && side !== 'contract' ? [{ slice, side }] : [];
  });
  return [
    ...alone
      .filter(({ slice }) => !(slice in allowed))
      .map(
        ({ slice, side }) =>
          `${slice} exists on the ${side} only; name it after the noun on the other sides, or give the reason in oneSidedSlices`,
      ),
    ...Object.keys(allowed)
      .filter((slice) => !alone.some((one) => one.slice === slice))
      .map((slice) => `${slice} is not one-sided; remove it from oneSidedSlices`),
  ];
}
