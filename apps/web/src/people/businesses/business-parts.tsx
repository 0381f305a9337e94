import { useLingui } from '@lingui/react/macro';
import { type ReactNode, useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { useLinkQuery } from '../../lib/pages/use-link-query.ts';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { chooseBusiness } from './businesses.api.ts';

const parts = ['details', 'branches', 'team', 'roles'] as const;
type Part = (typeof parts)[number];
type Asked = { part: Part; businessId: string | null };

function parseSearch(search: string): Asked {
  const query = new URLSearchParams(search);
  const part = parts.find((part) => part === query.get('part')) ?? 'details';
  return { part, businessId: query.get('business') };
}

/** The shown part of the business and its tabs. It is in the address, to survive a reload (ADR 22). */
export function useBusinessPart(): { part: Part; tabs: ReactNode } {
  const { t } = useLingui();
  const { search } = useLocation();
  const [{ part, businessId }, setAsked] = useState(() => parseSearch(search));
  useLinkQuery(parseSearch, setAsked);
  useEffect(() => {
    if (businessId !== null) chooseBusiness(businessId);
  }, [businessId]);
  const show = (next: Part) => {
    setAsked({ part: next, businessId: null });
    const query = next === 'details' ? '' : `?part=${next}`;
    globalThis.history.replaceState(globalThis.history.state, '', globalThis.location.pathname + query);
  };
  const words: Record<Part, string> = {
    details: t`Details`,
    branches: t`Branches`,
    team: t`Team`,
    roles: t`Roles`,
  };
  return {
    part,
    tabs: (
      <div className="part-tabs">
        <Segmented
          label={t`Part of the business`}
          value={part}
          options={parts.map((value) => ({ value, label: words[value] }))}
          onChange={show}
        />
      </div>
    ),
  };
}
