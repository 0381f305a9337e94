/** Names to make people of: each group's first and last names go together. All are invented pairs. */
export type NameGroup = { language: string; first: readonly string[]; last: readonly string[] };

export const nameGroups: readonly NameGroup[] = [
  {
    language: 'nl',
    first: [
      'Sanne',
      'Joris',
      'Maaike',
      'Thijs',
      'Lotte',
      'Ruben',
      'Femke',
      'Daan',
      'Anouk',
      'Pieter',
      'Roos',
      'Bram',
    ],
    last: [
      'de Wit',
      'Veenstra',
      'Kuipers',
      'van Leeuwen',
      'Postma',
      'Brouwer',
      'Hendriks',
      'van Dam',
      'Schouten',
      'Meijer',
    ],
  },
  {
    language: 'ar',
    first: ['Yasmina', 'Karim', 'Salma', 'Bilal', 'Hajar', 'Omar', 'Imane', 'Anas'],
    last: ['El Idrissi', 'Benali', 'Amrani', 'Chaoui', 'Haddad', 'Ouali', 'Tahiri'],
  },
  {
    language: 'tr',
    first: ['Elif', 'Emre', 'Zeynep', 'Kerem', 'Derya', 'Baran'],
    last: ['Yildirim', 'Aksoy', 'Demirel', 'Kaplan', 'Sahin'],
  },
  {
    language: 'nl',
    first: ['Jermaine', 'Shanice', 'Ruviano', 'Melissa', 'Giovanni', 'Naomi'],
    last: ['Blijd', 'Pinas', 'Wijngaarde', 'Kasanpawiro', 'Treurniet', 'Rozenblad'],
  },
  {
    language: 'id',
    first: ['Dewi', 'Bagus', 'Ratna', 'Yohan', 'Sari'],
    last: ['Pattiasina', 'Santoso', 'Latumahina', 'Wibowo'],
  },
  {
    language: 'en',
    first: ['Abena', 'Kwame', 'Efua', 'Kofi', 'Ama'],
    last: ['Mensah', 'Boateng', 'Owusu', 'Asante'],
  },
  {
    language: 'pl',
    first: ['Kasia', 'Tomek', 'Agnieszka', 'Pawel', 'Ola'],
    last: ['Wrona', 'Zielinska', 'Mazurek', 'Sobczak'],
  },
  {
    language: 'uk',
    first: ['Olena', 'Taras', 'Daryna', 'Bohdan'],
    last: ['Kovalchuk', 'Melnyk', 'Savchenko'],
  },
  {
    language: 'es',
    first: ['Lucía', 'Mateo', 'Camila', 'Andrés', 'Paola'],
    last: ['Rivas', 'Ortega Luna', 'Salcedo', 'Ibáñez'],
  },
  { language: 'pt', first: ['Thaís', 'Rafael', 'Beatriz', 'Diogo'], last: ['Almeida', 'Nogueira', 'Farias'] },
  { language: 'ti', first: ['Selam', 'Yonas', 'Rahwa', 'Filmon'], last: ['Tesfay', 'Ghebre', 'Haile'] },
  { language: 'hi', first: ['Priya', 'Arjun', 'Meera', 'Rohan'], last: ['Nair', 'Kulkarni', 'Deshpande'] },
  { language: 'zh', first: ['Lin', 'Wei', 'Xiaoyu', 'Jun'], last: ['Zhao', 'Huang', 'Fang'] },
  { language: 'it', first: ['Chiara', 'Luca', 'Giulia', 'Paolo'], last: ['Ferretti', 'Marchetti', 'Conti'] },
  {
    language: 'en',
    first: ['Aoife', 'Callum', 'Imogen', 'Declan'],
    last: ['Brennan', 'Hartley', 'Whitcombe'],
  },
  { language: 'fa', first: ['Parisa', 'Navid', 'Shirin', 'Arash'], last: ['Rahimi', 'Moradi', 'Sadeghi'] },
];

/** What people say of themselves, by the trade they know best. `{years}` is put in. */
export const bios: Readonly<Record<string, readonly string[]>> = {
  hospitality: [
    'I have worked in cafés and restaurants for {years} years, mostly on the floor. Busy evenings are fine with me, and I like closing up properly.',
    'Kitchen and counter, {years} years in all. I learn a menu in a day and I do not mind the dishes.',
    'I started as a dishwasher and stayed in the trade. {years} years later I run a section on my own.',
  ],
  retail: [
    '{years} years in shops, from the till to the storeroom. I like regulars and tidy shelves.',
    'I know fresh food and cash desks. Mornings suit me best.',
  ],
  logistics: [
    '{years} years of order picking and loading, early and late shifts. I work with a scanner and keep count.',
    'Used to warm and cold warehouses. Careful with pallets, quick with labels.',
  ],
  delivery: [
    'I ride the whole town, {years} years now, and know which bridges are open. Own rain gear.',
    'Driver with {years} years of town traffic behind me. Friendly at the door, on time at the gate.',
  ],
  events: [
    'I build up, hand out, take down. {years} seasons of festivals and fairs.',
    'Used to crowds and to radios. I stay calm when the queue does not.',
  ],
  cleaning: [
    '{years} years of cleaning homes and offices. I bring my own gloves and leave the keys where they belong.',
    'Thorough and quiet. I like fixed addresses.',
  ],
  trades: [
    'I have done wood and walls for {years} years. Own hand tools, and I clean up after myself.',
    'Handy all round: doors, shelves, taps, lamps. {years} years of small jobs.',
  ],
  construction: [
    '{years} years on building sites, with a safety certificate. I carry, mix, cut and sweep.',
    'Used to height and to early mornings.',
  ],
  gardening: ['I keep gardens, {years} years now: pruning, planting, paving. Winter work is fine.'],
  care: [
    'I have cared for older people for {years} years. Patient, careful with medicine lists, and I write things down.',
    'Children and older people both. {years} years, with a recent certificate of conduct.',
  ],
  education: [
    'I teach what I studied, {years} years so far. I explain a thing a third way when the second did not help.',
  ],
  office: [
    '{years} years at front desks and in administration. I type fast and answer mail the same day.',
    'Order in files, calm on the phone. {years} years of office work.',
  ],
  technology: ['I help people with their machines, {years} years now: networks, laptops, small websites.'],
  creative: ['I photograph and design for small businesses, {years} years on my own account.'],
  beauty: ['Hair, and sometimes make-up for weddings. {years} years in salons.'],
  security: ['Guard with a valid pass and {years} years of shops, doors and night rounds. I talk first.'],
};
