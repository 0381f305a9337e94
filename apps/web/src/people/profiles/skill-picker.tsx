import { useLingui } from '@lingui/react/macro';
import type { WorkerSkill } from '@nearhand/contract/people/profiles';
import { profileLimits } from '@nearhand/contract/people/profiles.rules';
import { skillsMeant } from '@nearhand/contract/people/skill-names.rules';
import { editsBetween, errorsForgiven } from '@nearhand/contract/people/spelling.rules';
import {
  type CategoryId,
  categoryIds,
  type SkillId,
  skillLevels,
  taxonomy,
} from '@nearhand/contract/people/taxonomy';
import { useState } from 'react';
import { categoryText } from '../../lib/words/category.labels.ts';
import { skillLevelText, skillText } from '../../lib/words/taxonomy.labels.ts';
import { Sign } from '../../ui/art/sign.tsx';
import { Card } from '../../ui/card.tsx';
import { IconButton } from '../../ui/controls/button.tsx';
import { Chip, Chips } from '../../ui/controls/chip.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { Select } from '../../ui/controls/select.tsx';
import './profiles.css';

const maxSkills = 40;

const years = Array.from({ length: profileLimits.skillYears + 1 }, (_, year) => ({
  value: String(year),
  label: String(year),
}));

type SkillPickerProps = { value: WorkerSkill[]; onChange: (skills: WorkerSkill[]) => void };

export function SkillPicker({ value, onChange }: SkillPickerProps) {
  const { t } = useLingui();
  const [typed, setTyped] = useState('');
  const query = foldTyped(typed);
  const meantSkills = skillsMeant(query);
  const categories = categoryIds
    .map((category) => ({ category, skills: skillsMatching(category, query, meantSkills) }))
    .filter(({ skills }) => skills.length > 0);
  const full = value.length >= maxSkills;
  const toggle = (skill: SkillId) => {
    if (value.some((entry) => entry.skill === skill))
      onChange(value.filter((entry) => entry.skill !== skill));
    else if (!full) onChange([...value, { skill, level: null, years: null }]);
  };
  return (
    <div className="col g5">
      {value.length > 0 ? <ChosenSkills value={value} onChange={onChange} onRemove={toggle} /> : null}
      <section className="col g3" aria-label={t`All skills`}>
        <TextInput
          label={t`Search skills`}
          icon="magnifying-glass"
          type="search"
          autoComplete="off"
          placeholder={t`Barista, forklift, tutor`}
          help={full ? t`You've reached the maximum.` : undefined}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        {categories.length === 0 ? (
          <p className="mute" role="status">
            {t`No skill with that name. Try another word, or browse the categories.`}
          </p>
        ) : null}
        {query !== '' ? (
          categories.map(({ category, skills }) => (
            <div key={category} className="col g2">
              <h3 className="label">{categoryText(category)}</h3>
              <SkillChips category={category} skills={skills} value={value} onToggle={toggle} />
            </div>
          ))
        ) : (
          <SkillsByCategory categories={categories} value={value} onToggle={toggle} />
        )}
      </section>
    </div>
  );
}

type SkillChoiceProps = { value: readonly WorkerSkill[]; onToggle: (skill: SkillId) => void };
type CategorySkills = { category: CategoryId; skills: readonly SkillId[] };

function SkillChips({ category, skills, value, onToggle }: SkillChoiceProps & CategorySkills) {
  return (
    <Chips label={categoryText(category)} wrap>
      {skills.map((skill) => (
        <Chip
          key={skill}
          pressed={value.some((entry) => entry.skill === skill)}
          onClick={() => onToggle(skill)}
        >
          {skillText(skill)}
        </Chip>
      ))}
    </Chips>
  );
}

function SkillsByCategory({
  categories,
  value,
  onToggle,
}: SkillChoiceProps & { categories: readonly CategorySkills[] }) {
  const { t } = useLingui();
  const [open, setOpen] = useState<CategoryId | null>(null);
  return (
    <Card flush>
      {categories.map(({ category, skills }) => {
        const chosenCount = value.filter((entry) => skills.includes(entry.skill)).length;
        return (
          <details
            key={category}
            className="trade"
            open={open === category}
            onToggle={(event) => {
              if (event.currentTarget.open) setOpen(category);
              else if (open === category) setOpen(null);
            }}
          >
            <summary>
              <Sign category={category} size="s" />
              <span className="grow mid">{categoryText(category)}</span>
              {chosenCount > 0 ? <span className="sm mute num">{t`${chosenCount} selected`}</span> : null}
            </summary>
            <div className="trade-skills">
              <SkillChips category={category} skills={skills} value={value} onToggle={onToggle} />
            </div>
          </details>
        );
      })}
    </Card>
  );
}

/** The level and years of each chosen skill. */
function ChosenSkills({
  value,
  onChange,
  onRemove,
}: SkillPickerProps & { onRemove: (skill: SkillId) => void }) {
  const { t } = useLingui();
  const change = (skill: SkillId, part: Partial<WorkerSkill>) =>
    onChange(value.map((entry) => (entry.skill === skill ? { ...entry, ...part } : entry)));
  return (
    <section aria-label={t`Selected skills`}>
      <h2 className="h-s">{t`Your skills`}</h2>
      <ul className="skill-cards">
        {value.map((entry) => (
          <Card key={entry.skill} as="li">
            <div className="row g3">
              <h3 className="strong grow">{skillText(entry.skill)}</h3>
              <IconButton
                icon="x"
                label={t`Remove ${skillText(entry.skill)}`}
                onClick={() => onRemove(entry.skill)}
              />
            </div>
            <Segmented
              label={t`Level in ${skillText(entry.skill)}`}
              value={entry.level}
              options={skillLevels.map((level) => ({ value: level, label: skillLevelText(level) }))}
              onChange={(level) => change(entry.skill, { level })}
            />
            <div className="mt3">
              <Select
                label={t`Years`}
                optional
                placeholder={t`Not stated`}
                value={entry.years === null ? '' : String(entry.years)}
                options={years}
                onChange={({ target }) =>
                  change(entry.skill, { years: target.value === '' ? null : Number(target.value) })
                }
              />
            </div>
          </Card>
        ))}
      </ul>
    </section>
  );
}

/** Lower case without accents and apostrophes, so that "cafe" finds "Café". */
export const foldTyped = (text: string) =>
  text
    .trim()
    .toLocaleLowerCase()
    .normalize('NFD')
    .replace(/[\p{M}'’]/gu, '');

/**
 * The skills of a category for folded text, read as the job search reads it: "barrista" finds Barista,
 * "afwas" Kitchen porter.
 */
export function skillsMatching(
  category: CategoryId,
  text: string,
  meant = skillsMeant(text),
): readonly SkillId[] {
  const skills: readonly SkillId[] = taxonomy[category];
  if (text === '' || foldTyped(categoryText(category)).includes(text)) return skills;
  const max = errorsForgiven(text);
  return skills.filter((skill) => {
    const name = foldTyped(skillText(skill));
    return (
      name.includes(text) ||
      meant.includes(skill) ||
      (max > 0 &&
        [name, ...name.split(' ')].some((words) => editsBetween(text, words, max, { start: true }) <= max))
    );
  });
}
