import { plural, t } from '@lingui/core/macro';
import type { Only } from './nearby-filters.ts';

export function onlyText(only: Only): string {
  switch (only) {
    case 'instant':
      return t`Instant hire`;
    case 'funded':
      return t`Funded`;
    case 'verified':
      return t`Verified business`;
    case 'fits':
      return t`Fits my hours`;
  }
}

export function showText(total: { count: number; more: boolean } | undefined): string {
  if (!total) return t`Show jobs`;
  if (total.more) return t`Show ${total.count}+ jobs`;
  if (total.count === 0) return t`No jobs match`;
  return plural(total.count, { one: 'Show # job', other: 'Show # jobs' });
}
