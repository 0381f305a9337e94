import { useLingui } from '@lingui/react/macro';
import type { Business } from '@nearhand/contract/people/businesses';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../lib/pages/load-part.ts';
import { Button } from '../../ui/controls/button.tsx';
import { useJobTemplates } from './job-templates.api.ts';

const PostTemplateSheet = lazyPart(async () => ({
  default: (await import('./post-template.tsx')).PostTemplateSheet,
}));

type FromTemplateProps = {
  business: Business;
  day?: string;
  onPosted?: () => void;
};

/** A button that opens the templates of a business; nothing if it has none. */
export function FromTemplate({ business, day, onPosted }: FromTemplateProps) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  const { data: templates = [] } = useJobTemplates(business.id);
  if (templates.length === 0) return null;
  return (
    <>
      <Button kind="out" size="s" icon="clipboard-text" needsNetwork onClick={() => setOpen(true)}>
        {t`Use a template`}
      </Button>
      {open ? (
        <Suspense>
          <PostTemplateSheet
            open
            business={business}
            day={day}
            onPosted={onPosted}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      ) : null}
    </>
  );
}
