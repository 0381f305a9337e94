import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const file = path.resolve(import.meta.dirname, '../../../docs/monitoring/dashboard.json');

type Panel = {
  type: string;
  title?: string;
  fieldConfig?: { defaults?: { unit?: string } };
  targets?: { expr: string }[];
};
type Dashboard = { panels: Panel[] };

function panelFaults({ panels }: Dashboard): string[] {
  const titles = panels.map(({ title }) => title);
  return panels.flatMap(({ type, title, fieldConfig, targets = [] }, at) => {
    const name = title ?? `panel ${at + 1}`;
    return [
      ...(title ? [] : [`${name} has no title`]),
      ...(title && titles.indexOf(title) !== at ? [`${name} is the title of two panels`] : []),
      ...(type === 'row' || fieldConfig?.defaults?.unit ? [] : [`${name} has no unit`]),
      ...(type === 'row' || targets.length > 0 ? [] : [`${name} shows nothing`]),
    ];
  });
}

describe('the dashboard', () => {
  it('has a unique title and a unit for every panel', async () => {
    expect(panelFaults(JSON.parse(await readFile(file, 'utf8')))).toEqual([]);
  });

  it('fails without them', () => {
    const whole: Panel = {
      type: 'timeseries',
      title: 'Up',
      fieldConfig: { defaults: { unit: 'none' } },
      targets: [{ expr: 'up' }],
    };
    const { title: _, ...untitled } = whole;
    const panels = [whole, { ...whole, fieldConfig: { defaults: {} } }, untitled, { ...whole, targets: [] }];
    expect(panelFaults({ panels })).toEqual([
      'Up is the title of two panels',
      'Up has no unit',
      'panel 3 has no title',
      'Up is the title of two panels',
      'Up shows nothing',
    ]);
  });
});
