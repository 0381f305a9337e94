import { t } from '@lingui/core/macro';
import type { DomainProblem } from '@nearhand/contract/people/business-verification';
import type { BusinessDocumentKind } from '@nearhand/contract/people/business-verification.rules';

export function documentKindText(kind: BusinessDocumentKind): string {
  switch (kind) {
    case 'registration':
      return t`Company registration`;
    case 'tax':
      return t`Tax registration`;
    case 'licence':
      return t`Licence or permit`;
    case 'ownership':
      return t`Proof of who owns it`;
    case 'other':
      return t`Something else`;
  }
}

export function domainProblemText(problem: DomainProblem, domain: string): string {
  switch (problem) {
    case 'not-found':
      return t`We found neither the record nor the tag. A new DNS record can take an hour to show.`;
    case 'unreachable':
      return t`There's no record yet, and https://${domain} didn't answer. Check the address, or add the DNS record.`;
    case 'private':
      return t`${domain} leads to an address inside a private network, which we don't open. Add the DNS record instead.`;
    case 'elsewhere':
      return t`The home page of ${domain} leads to another domain. Add the DNS record instead, or check that domain.`;
    case 'too-large':
      return t`The home page is too large to read. Add the DNS record instead.`;
  }
}
