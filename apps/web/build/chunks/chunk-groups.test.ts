import { expect, it } from 'vitest';
import { chunkGroups } from './chunk-groups.ts';

it('puts what screens share into one chunk of their journey, and leaves the rest to each screen', () => {
  const imports: Record<string, string[]> = {
    main: ['react'],
    explore: ['react', 'button', 'list'],
    welcome: ['button', 'art', 'slides', 'town'],
    list: ['row'],
    login: ['field', 'art'],
    register: ['field', 'only-register'],
    behind: ['badge', 'api'],
    'signed-in': ['badge', 'queue', 'api'],
    profile: ['work-card', 'steps'],
    loading: ['steps', 'town'],
    'my-work': ['work-card', 'money', 'queue'],
    'job-desc': ['work-card', 'api', 'map'],
    'listed-job': ['money', 'field', 'board'],
    'edit-job': ['board', 'terms', 'own'],
    preview: ['terms'],
    'chat-screen': ['bubble'],
    notices: ['bubble', 'work-part'],
    work: ['work-part'],
    help: ['articles'],
    contact: ['articles'],
  };
  const parts: Record<string, string[]> = { 'edit-job': ['preview'] };
  const modules = {
    getModuleInfo: (id: string) => ({
      importedIds: imports[id] ?? [],
      dynamicallyImportedIds: parts[id] ?? [],
    }),
  };
  const groups = chunkGroups({
    entry: 'main',
    first: { explore: 'explore', welcome: 'welcome' },
    home: 'explore',
    journeys: {
      guest: ['login', 'register'],
      behind: ['behind'],
      'signed-in': ['signed-in'],
      setup: ['profile', 'loading'],
      work: ['my-work', 'job-desc', 'work'],
      hire: ['listed-job', 'edit-job'],
      member: ['chat-screen', 'notices'],
      help: ['help', 'contact'],
    },
  });
  const chunkOf = (id: string) => {
    const asked = groups.map(({ name, priority }) => ({ name: name(id, modules), priority }));
    return asked.sort((a, b) => b.priority - a.priority).find(({ name }) => name !== null)?.name ?? null;
  };
  expect(
    Object.fromEntries(
      [...Object.keys(imports), ...Object.values(imports).flat()].map((id) => [id, chunkOf(id)]),
    ),
  ).toEqual({
    main: 'app',
    react: 'app',
    button: 'app',
    explore: 'explore',
    list: 'explore',
    row: 'explore',
    welcome: 'welcome',
    slides: 'welcome',
    art: 'app',
    town: 'app',
    field: 'forms',
    badge: 'behind',
    api: 'behind',
    queue: 'signed-in',
    money: 'member',
    'work-card': 'work',
    steps: 'work',
    board: 'hire',
    terms: 'hire',
    preview: null,
    own: null,
    bubble: 'member',
    'work-part': 'member',
    articles: 'help',

    login: null,
    register: null,
    'only-register': null,
    behind: null,
    'signed-in': null,
    profile: null,
    loading: null,
    map: null,
    work: null,
    help: null,
    'my-work': null,
    'job-desc': null,
    'listed-job': null,
    'edit-job': null,
    contact: null,
    'chat-screen': null,
    notices: null,
  });
});
