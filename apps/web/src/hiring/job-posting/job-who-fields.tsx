import { useLingui } from '@lingui/react/macro';
import { categoryOfSkill, type SkillId, skillIds, taxonomy } from '@nearhand/contract/people/taxonomy';
import { categoryText } from '../../lib/words/category.labels.ts';
import { skillText } from '../../lib/words/taxonomy.labels.ts';
import { Chip, Chips } from '../../ui/controls/chip.tsx';
import { Switch } from '../../ui/controls/choices.tsx';
import { TextArea } from '../../ui/controls/inputs.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { OneShiftOnly } from './also-on.tsx';
import type { JobFieldsProps } from './job-fields.tsx';
import { QuestionsEditor } from './questions-editor.tsx';

export function JobWhoFields(props: JobFieldsProps) {
  const { t } = useLingui();
  const { form, onChange, errors, idOf } = props;
  return (
    <>
      <SkillsField {...props} />
      <TextArea
        id={idOf('requirements')}
        label={t`Requirements`}
        optional
        help={t`One per line: what people need to have or be able to do.`}
        rows={4}
        value={form.requirements}
        error={errors.requirements}
        onChange={(event) => onChange({ requirements: event.target.value })}
      />
      <InstantHireField {...props} />
      {form.instantHire ? <OneShiftOnly {...props} /> : null}
      <Switch
        label={t`Require a CV`}
        help={t`Workers attach a PDF or Word file. Fewer people apply when a CV is required.`}
        checked={form.cvRequired}
        onChange={(event) => onChange({ cvRequired: event.target.checked })}
      />
      <QuestionsEditor
        id={idOf('questions')}
        questions={form.questions}
        onChange={(questions) => onChange({ questions })}
        error={errors.questions}
      />
    </>
  );
}

function InstantHireField({ form, onChange, errors, idOf }: JobFieldsProps) {
  const { t } = useLingui();
  return (
    <Switch
      id={idOf('instantHire')}
      label={t`Instant hire`}
      help={
        form.kind === 'shift'
          ? t`The first people to apply with all the skills are hired automatically. Needs set hours and pay, no CV and no written answers.`
          : t`The first people to apply with all the skills are hired automatically. Needs a set price, no CV and no written answers.`
      }
      checked={form.instantHire}
      error={errors.instantHire}
      onChange={(event) => onChange({ instantHire: event.target.checked })}
    />
  );
}

function SkillsField({ form, onChange, errors, idOf }: JobFieldsProps) {
  const { t } = useLingui();
  const categorySkills: readonly SkillId[] = form.category ? taxonomy[form.category] : [];
  const visibleSkills = [
    ...categorySkills,
    ...form.skills.filter((skill) => !categorySkills.includes(skill)),
  ];
  const otherSkills = skillIds.filter((skill) => !visibleSkills.includes(skill));
  const turn = (skill: SkillId) =>
    onChange({
      skills: form.skills.includes(skill)
        ? form.skills.filter((skillId) => skillId !== skill)
        : [...form.skills, skill],
    });
  return (
    <div className="field">
      <p className="flabel">
        {t`Skills`}
        <span className="mute opt-mark"> · {t`optional`}</span>
      </p>
      {visibleSkills.length > 0 ? (
        <Chips label={t`Skills`} wrap>
          {visibleSkills.map((skill) => (
            <Chip key={skill} pressed={form.skills.includes(skill)} onClick={() => turn(skill)}>
              {skillText(skill)}
            </Chip>
          ))}
        </Chips>
      ) : null}
      <div className="mt3">
        <Select
          id={idOf('skills')}
          label={
            <span className="sm">
              {categorySkills.length > 0 ? t`Add a skill from another category` : t`Add a skill`}
            </span>
          }
          placeholder={t`Choose a skill`}
          options={otherSkills.map((skill) => ({
            value: skill,
            label: `${categoryText(categoryOfSkill[skill])}: ${skillText(skill)}`,
          }))}
          value=""
          error={errors.skills}
          onChange={(event) => event.target.value && turn(event.target.value as SkillId)}
        />
      </div>
    </div>
  );
}
