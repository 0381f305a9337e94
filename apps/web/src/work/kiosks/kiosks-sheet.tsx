import { Trans, useLingui } from '@lingui/react/macro';
import { branchLimits } from '@nearhand/contract/people/branches.rules';
import type { Business } from '@nearhand/contract/people/businesses';
import type { Kiosk } from '@nearhand/contract/work/kiosks';
import { workLimits } from '@nearhand/contract/work/limits';
import { useState } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { serverOrigin } from '../../lib/api/server-address.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { dotted, formatAgoWithin } from '../../lib/words/format.ts';
import { useBranches, useBranchMoves } from '../../people/branches/branches.api.ts';
import { Refused } from '../../ui/banner.tsx';
import { ListRow } from '../../ui/card.tsx';
import { Button, ButtonLink, IconButton } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { useKioskMoves, useKiosks } from './kiosks.api.ts';

const { pairingMinutes } = workLimits;

/** The tablets at the doors of a business; managers add and remove them. */
export function KiosksSheet({ business, onClose }: { business: Business; onClose: () => void }) {
  const { t } = useLingui();
  const query = useKiosks(business.id);
  const now = useNow();
  const { remove } = useKioskMoves();
  const { run, refusal } = useAction();
  const removeAfterAsking = async ({ id, name, branchName }: Kiosk) => {
    const answer = await showAlert({
      title: t`Remove this tablet?`,
      message: t`${name} at ${branchName} stops working at once. Times it hasn't sent yet are lost.`,
      buttons: [
        { value: 'keep', label: t`Keep it`, kind: 'out' },
        { value: 'remove', label: t`Remove`, kind: 'bad' },
      ],
    });
    if (answer === 'remove') void run(() => remove.mutateAsync({ kioskId: id }));
  };
  return (
    <Sheet open onClose={onClose} title={t`Tablets at the door`}>
      <div className="col g4">
        <p>
          <Trans>
            A tablet at the entrance shows who is due and the check-in code. Workers without a phone check in
            there by PIN.
          </Trans>
        </p>
        <Refused text={refusal} />
        <QueryState
          query={query}
          loading={<RowsSkeleton count={2} />}
          errorTitle={t`We couldn't load the tablets`}
        >
          {({ kiosks, canManage }) => (
            <>
              {kiosks.map((kiosk) => (
                <ListRow
                  key={kiosk.id}
                  title={kiosk.name}
                  note={dotted(
                    kiosk.branchName,
                    kiosk.pairedAt === null
                      ? t`Waiting for its code`
                      : t`Last online ${formatAgoWithin(kiosk.seenAt ?? kiosk.pairedAt, now)}`,
                  )}
                  end={
                    canManage ? (
                      <IconButton
                        icon="trash"
                        label={t`Remove ${kiosk.name}`}
                        needsNetwork
                        onClick={() => void removeAfterAsking(kiosk)}
                      />
                    ) : null
                  }
                />
              ))}
              {canManage ? <AddKiosk business={business} /> : null}
            </>
          )}
        </QueryState>
      </div>
    </Sheet>
  );
}

/** The only site of a business as its first branch. */
const branchOf = ({ id, name, address, area, lat, lng, privateAddress, timeZone }: Business) => ({
  businessId: id,
  name: name.slice(0, branchLimits.name),
  address,
  area,
  lat,
  lng,
  privateAddress,
  timeZone,
  contactName: '',
  contactPhone: null,
  openingNotes: '',
  giveaways: 'approval' as const,
});

function AddKiosk({ business }: { business: Business }) {
  const { t } = useLingui();
  const branches = useBranches(business.id).data?.branches.filter(({ closed }) => !closed);
  const [branchId, setBranchId] = useState<string>();
  const [name, setName] = useState(() => t`Front door`);
  const [code, setCode] = useState<string | null>(null);
  const { create } = useKioskMoves();
  const { create: createBranch } = useBranchMoves();
  const { run, busy, refusal } = useAction(errorText);
  const [first] = branches ?? [];
  if (!branches) return null;
  if (!first)
    return (
      <div className="col g3">
        <p>
          <Trans>A tablet belongs to a branch, so that it lists only the people who work there.</Trans>
        </p>
        <Refused text={refusal} />
        <Button
          kind="go"
          full
          busy={busy}
          needsNetwork
          onClick={() => void run(() => createBranch.mutateAsync(branchOf(business)))}
        >
          {t`Make ${business.address} a branch`}
        </Button>
        <ButtonLink kind="out" full to="/edit-business?part=branches">
          {t`Add another place`}
        </ButtonLink>
      </div>
    );
  if (code !== null)
    return (
      <div className="col g3" role="status">
        <p>
          <Trans>
            On the tablet, open {serverOrigin().replace(/^https?:\/\//, '')}/kiosk and type this code within{' '}
            {pairingMinutes} minutes:
          </Trans>
        </p>
        <p className="site-digits">
          {code.slice(0, 4)} {code.slice(4)}
        </p>
      </div>
    );
  const add = () =>
    run(async () => setCode((await create.mutateAsync({ branchId: branchId ?? first.id, name })).code));
  return (
    <Form className="col g3" onSubmit={() => void add()}>
      <Refused text={refusal} />
      {branches.length > 1 ? (
        <Select
          id="kiosk-branch"
          label={t`Branch`}
          value={branchId ?? first.id}
          options={branches.map(({ id, name: label }) => ({ value: id, label }))}
          onChange={(event) => setBranchId(event.target.value)}
        />
      ) : null}
      <TextInput
        id="kiosk-name"
        label={t`Where it stands`}
        value={name}
        maxLength={workLimits.kioskNameMax}
        error={name.trim() === '' ? t`Say where it stands` : undefined}
        onChange={(event) => setName(event.target.value)}
      />
      <Button type="submit" kind="go" full busy={busy} needsNetwork disabled={name.trim() === ''}>
        {t`Add a tablet`}
      </Button>
    </Form>
  );
}
