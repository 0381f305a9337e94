/** Trades and skills. Ids are stored and stable; names are in `apps/web/src/lib/words/taxonomy.labels.ts`. */
export const taxonomy = {
  hospitality: [
    'barista',
    'bartender',
    'waiter',
    'host',
    'cook',
    'kitchen-porter',
    'catering',
    'housekeeping',
    'front-desk',
  ],
  retail: ['cashier', 'shop-assistant', 'stock-filler', 'visual-merchandising', 'market-stall'],
  logistics: ['order-picker', 'packer', 'forklift', 'loading', 'inventory'],
  delivery: ['bike-courier', 'van-driver', 'truck-driver', 'movers'],
  events: ['event-crew', 'stagehand', 'steward', 'ticketing', 'promotion'],
  cleaning: ['home-cleaning', 'office-cleaning', 'window-cleaning', 'laundry'],
  trades: ['carpenter', 'electrician', 'plumber', 'painter', 'furniture-assembly', 'handyperson', 'welder'],
  construction: ['labourer', 'scaffolder', 'bricklayer', 'engineering', 'site-safety'],
  gardening: ['gardener', 'landscaping', 'tree-work'],
  care: ['elder-care', 'childcare', 'nurse', 'care-assistant', 'social-work', 'pet-care'],
  education: ['tutor', 'teaching-assistant', 'language-lessons', 'sports-coach', 'training'],
  office: [
    'administration',
    'reception',
    'data-entry',
    'accounting',
    'customer-service',
    'human-resources',
    'legal',
    'policy-research',
  ],
  technology: ['it-support', 'software', 'data-analysis', 'web-design'],
  creative: ['photographer', 'graphic-design', 'video', 'copywriting', 'music'],
  beauty: ['hairdresser', 'makeup', 'massage', 'fitness-trainer'],
  security: ['guard', 'door-supervisor', 'investigation', 'inspection'],
} as const;

export type CategoryId = keyof typeof taxonomy;
export type SkillId = (typeof taxonomy)[CategoryId][number];

export const categoryIds = Object.keys(taxonomy) as [CategoryId, ...CategoryId[]];
export const skillIds = Object.values(taxonomy).flat() as unknown as [SkillId, ...SkillId[]];

export const categoryOfSkill = Object.fromEntries(
  categoryIds.flatMap((category) => taxonomy[category].map((skill) => [skill, category])),
) as Record<SkillId, CategoryId>;

export const skillLevels = ['beginner', 'practised', 'expert'] as const;
export type SkillLevel = (typeof skillLevels)[number];
