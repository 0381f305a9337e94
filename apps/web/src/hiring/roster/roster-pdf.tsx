import { useLingui } from '@lingui/react/macro';
import type { RosterFileRows } from '@nearhand/contract/hiring/roster';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../lib/api/api.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { saveLink } from '../../money/downloads/downloads.api.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';

type RosterPdfProps = {
  businessId: string;
  /** The first of its seven days. */
  from: string;
  branchId: string | null;
  rows: RosterFileRows;
  onClose: () => void;
};

/** Saves a week of the roster as PDF, of the chosen branch or all, with a row per role, worker or branch. */
export function RosterPdfSheet({ businessId, from, branchId, rows: shownRows, onClose }: RosterPdfProps) {
  const { t } = useLingui();
  const [rows, setRows] = useState(shownRows);
  const link = useMutation(apiQuery.roster.file.mutationOptions());
  const action = useAction(errorText);
  const save = () =>
    action.run(async () => {
      await saveLink(await link.mutateAsync({ businessId, from, rows, branchId: branchId ?? undefined }));
      onClose();
    });
  return (
    <Sheet
      open
      onClose={onClose}
      title={t`Save the week as PDF`}
      dock={
        <>
          <Refused text={action.refusal} />
          <Button kind="go" full busy={action.busy} needsNetwork onClick={() => void save()}>
            {t`Save PDF`}
          </Button>
        </>
      }
    >
      <Segmented
        label={t`Rows`}
        options={[
          { value: 'role', label: t`By role` },
          { value: 'worker', label: t`By worker` },
          { value: 'branch', label: t`By branch` },
        ]}
        value={rows}
        onChange={setRows}
      />
    </Sheet>
  );
}
