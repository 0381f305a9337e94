import { t } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { Branch, BranchInput } from '@nearhand/contract/people/branches';
import { branchLimits, type GiveawayMode, giveawayModes } from '@nearhand/contract/people/branches.rules';
import type { Business } from '@nearhand/contract/people/businesses';
import { isApiError } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { phoneExample, phoneIn, phoneProblem, usePhones } from '../../lib/forms/phone.ts';
import { nameError, tooLong } from '../../lib/forms/too-long.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { RadioGroup } from '../../ui/controls/choices.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextArea, TextInput } from '../../ui/controls/inputs.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { AddressFields } from '../places/address-fields.tsx';
import { useBranchMoves } from './branches.api.ts';

type BranchSheetProps = {
  business: Business;
  branch: Branch | null;
  onClose: () => void;
};

export function BranchSheet({ business, branch, onClose }: BranchSheetProps) {
  usePhones();
  const { t } = useLingui();
  const { create, update } = useBranchMoves();
  const form = useFormModel({
    focusProblems: true,
    start: () => branchForm(branch),
    check: (values) => branchErrors(values, business.countryCode),
  });
  const { values, problems, change, idOf } = form;
  const save = async () => {
    const input = branchInputOf(values, business.countryCode);
    try {
      if (branch) await update.mutateAsync({ ...input, branchId: branch.id, version: branch.version });
      else await create.mutateAsync({ ...input, businessId: business.id });
      showToast(branch ? t`Changes saved` : t`Branch added`);
      onClose();
    } catch (failure) {
      form.refuse(
        isApiError(failure, 'branch/name-taken')
          ? { fields: { name: errorText(failure) } }
          : { text: errorText(failure) },
      );
    }
  };
  return (
    <Sheet open onClose={onClose} title={branch?.name ?? t`Add a branch`}>
      <Form onSubmit={() => void form.submit(save)}>
        <TextInput
          {...form.textField('name')}
          label={t`Name`}
          help={t`Your team sees it on jobs and in lists.`}
          autoComplete="off"
        />
        <AddressFields
          value={values}
          country={business.countryCode}
          onChange={change}
          errors={problems}
          idOf={idOf}
          pin={{
            title: t`Where's the entrance?`,
            help: t`Search for the town or use your location, then move the pin.`,
          }}
          privateHelp={t`Turn this on if someone lives there.`}
        />
        <p className="sm mute">{t`People you hire for this branch also see:`}</p>
        <TextInput {...form.textField('contactName')} label={t`Contact person`} optional autoComplete="off" />
        <TextInput
          {...form.textField('contactPhone')}
          type="tel"
          inputMode="tel"
          label={t`Phone`}
          optional
          autoComplete="off"
          help={t`With its country code, for example ${phoneExample}.`}
        />
        <TextArea
          {...form.textField('openingNotes')}
          label={t`Opening notes`}
          optional
          help={t`How to get in, where to park, who has the key.`}
          rows={3}
          maxLength={branchLimits.openingNotes}
          length={values.openingNotes.length}
        />
        <RadioGroup
          legend={t`When someone can't make a shift`}
          help={t`Workers can offer a booked shift to people you've worked with or saved, or to its waitlist.`}
          options={giveawayModes.map((value) => ({ value, label: giveawayModeText(value) }))}
          value={values.giveaways}
          onChange={(giveaways) => change({ giveaways })}
        />
        <Refused text={form.refusal} />
        <div className="sheet-act">
          <Button kind="go" full type="submit" busy={form.busy}>
            {branch ? t`Save changes` : t`Add branch`}
          </Button>
        </div>
      </Form>
      {branch ? <Ending branch={branch} onDone={onClose} /> : null}
    </Sheet>
  );
}

function Ending({ branch, onDone }: { branch: Branch; onDone: () => void }) {
  const { t } = useLingui();
  const { close, reopen, remove } = useBranchMoves();
  const request = useAction();
  const { id: branchId, name, actions } = branch;
  const ask = async (options: { title: string; message: string; yes: string }) =>
    (await showAlert({
      title: options.title,
      message: options.message,
      tone: 'ask',
      buttons: [
        { value: 'yes', label: options.yes, kind: 'bad' },
        { value: 'no', label: t`Keep it` },
      ],
    })) === 'yes';
  const run = (action: () => Promise<unknown>, toast: string) =>
    request.run(async () => {
      await action();
      showToast(toast);
      onDone();
    });
  return (
    <div className="col g2 mt4">
      <Refused text={request.refusal} />
      {actions.includes('reopen') ? (
        <Button
          kind="out"
          full
          busy={request.busy}
          onClick={() => void run(() => reopen.mutateAsync({ branchId }), t`${name} is open again`)}
        >
          {t`Reopen branch`}
        </Button>
      ) : null}
      {actions.includes('delete') ? (
        <Button
          kind="bad"
          full
          busy={request.busy}
          onClick={async () => {
            const yes = t`Delete branch`;
            if (await ask({ title: t`Delete ${name}?`, message: t`It was never used.`, yes }))
              await run(() => remove.mutateAsync({ branchId }), t`${name} was deleted`);
          }}
        >
          {t`Delete branch`}
        </Button>
      ) : null}
      {actions.includes('close') && !actions.includes('delete') ? (
        <Button
          kind="bad"
          full
          busy={request.busy}
          onClick={async () => {
            const message = t`Its jobs stay as they are. You can't add others until you reopen it.`;
            if (await ask({ title: t`Close ${name}?`, message, yes: t`Close branch` }))
              await run(() => close.mutateAsync({ branchId }), t`${name} is closed`);
          }}
        >
          {t`Close branch`}
        </Button>
      ) : null}
    </div>
  );
}

type BranchForm = {
  name: string;
  address: string;
  area: string;
  point: { lat: number; lng: number } | null;
  privateAddress: boolean;
  timeZone: string;
  contactName: string;
  contactPhone: string;
  openingNotes: string;
  giveaways: GiveawayMode;
};
const giveawayModeText = (mode: GiveawayMode): string =>
  ({
    approval: t`They can give it away once you agree`,
    free: t`They can give it away without asking`,
    off: t`They can only cancel`,
  })[mode];

type BranchErrors = Partial<Record<keyof BranchForm, string>>;

const branchForm = (branch: Branch | null): BranchForm => ({
  name: branch?.name ?? '',
  address: branch?.address ?? '',
  area: branch?.area ?? '',
  point: branch && { lat: branch.lat, lng: branch.lng },
  privateAddress: branch?.privateAddress ?? false,
  timeZone: branch?.timeZone ?? '',
  contactName: branch?.contactName ?? '',
  contactPhone: branch?.contactPhone ?? '',
  openingNotes: branch?.openingNotes ?? '',
  giveaways: branch?.giveaways ?? 'approval',
});

const needed = (text: string, missing: string, max: number): string | undefined =>
  text.trim() === '' ? missing : tooLong(text, max);

function branchErrors(form: BranchForm, country: string): BranchErrors {
  const phone = form.contactPhone.trim();
  const problems: Record<string, string | undefined> = {
    name: form.name.trim() === '' ? t`Enter a name.` : nameError(form.name, 'business', branchLimits.name),
    point: form.point ? undefined : t`Put the pin on the entrance to get distances right.`,
    address: needed(form.address, t`Enter the street and number.`, branchLimits.address),
    area: needed(form.area, t`Enter the town or neighbourhood.`, branchLimits.area),
    contactName: nameError(form.contactName, 'person', branchLimits.contactName),
    contactPhone:
      phone !== '' && phoneIn(phone, country) === null ? (phoneProblem(phone) ?? undefined) : undefined,
    openingNotes: tooLong(form.openingNotes, branchLimits.openingNotes),
  };
  return Object.fromEntries(
    Object.entries(problems).filter(([, text]) => text !== undefined),
  ) as BranchErrors;
}

const branchInputOf = (form: BranchForm, country: string): BranchInput => ({
  name: form.name.trim(),
  address: form.address.trim(),
  area: form.area.trim(),
  lat: form.point?.lat ?? 0,
  lng: form.point?.lng ?? 0,
  privateAddress: form.privateAddress,
  ...(form.timeZone ? { timeZone: form.timeZone } : {}),
  contactName: form.contactName.trim(),
  contactPhone: phoneIn(form.contactPhone, country),
  openingNotes: form.openingNotes.trim(),
  giveaways: form.giveaways,
});
