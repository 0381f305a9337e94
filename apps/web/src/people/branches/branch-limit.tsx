import { useLingui } from '@lingui/react/macro';
import { CheckGroup, RadioGroup } from '../../ui/controls/choices.tsx';
import { useBranches } from './branches.api.ts';

export function BranchLimitField({
  businessId,
  value,
  error,
  onChange,
}: {
  businessId: string;
  error?: string;
  value: readonly string[] | null;
  onChange: (branchIds: string[] | null) => void;
}) {
  const { t } = useLingui();
  const branches = useBranches(businessId).data?.branches;
  if (!branches) return null;
  if (branches.length === 0)
    return <p className="sm mute">{t`Once you have branches, you can limit this person to some of them.`}</p>;
  return (
    <>
      <RadioGroup
        legend={t`Branches`}
        value={value === null ? 'all' : 'some'}
        options={[
          { value: 'all', label: t`All branches` },
          {
            value: 'some',
            label: t`Only some branches`,
            help: t`They see only jobs of these branches, with their applicants, shifts and messages.`,
          },
        ]}
        onChange={(choice) => onChange(choice === 'all' ? null : [])}
      />
      {value === null ? null : (
        <CheckGroup
          legend={t`Which branches`}
          value={value}
          error={error}
          options={branches
            .filter(({ id, closed }) => !closed || value.includes(id))
            .map(({ id, name, area }) => ({ value: id, label: name, help: area }))}
          onChange={onChange}
        />
      )}
    </>
  );
}
