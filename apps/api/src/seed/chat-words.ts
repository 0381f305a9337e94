/** Who says a line of a talk in the demo town: the worker or the business; what, and answering or answered by what. */
export type TalkLine = {
  by: 'worker' | 'business';
  says: string;
  photo?: true;
  /** Which line before it answers, counted from 0. */
  answers?: number;
  reaction?: 'heart' | 'thumbs-up';
};

/** What people of the town say about their work. Names of places and times are left out: each talk is held about whatever job there is. */
export const talks = {
  offer: [
    {
      by: 'business',
      says: 'Hello Leila, the offer is on its way. Tell me if anything in it is not as we said.',
    },
    { by: 'worker', says: 'Thank you. Is there somewhere to leave a bicycle?' },
    {
      by: 'business',
      says: 'Behind the building, through the gate. The code is in the note for the day.',
      answers: 1,
    },
    { by: 'business', says: 'Will you let me know by tomorrow? I have to order the aprons.' },
  ],
  booked: [
    { by: 'worker', says: 'Good morning. Shall I bring my own apron?' },
    { by: 'business', says: 'We have them here, black, all sizes. Dark shoes would be good.', answers: 0 },
    { by: 'worker', says: 'Shoes I have. See you there.', reaction: 'thumbs-up' },
    { by: 'business', says: 'This is the room, so you know where to go.', photo: true },
  ],
  recent: [
    {
      by: 'business',
      says: 'You left at the right moment, ten minutes later the whole wedding came back for coffee.',
    },
    { by: 'worker', says: 'I saw them coming! Thank you, it was a good team.', reaction: 'heart' },
    { by: 'business', says: 'There is another one in two weeks. May I ask you first?' },
    { by: 'worker', says: 'Please do.', answers: 2 },
  ],
  old: [
    { by: 'worker', says: 'Thank you for today. I left the keys with Joris.' },
    { by: 'business', says: 'Got them. It was a pleasure.', reaction: 'thumbs-up' },
  ],
  applied: [
    { by: 'worker', says: 'Hello, is the early shift every day of the week, or do you take turns?' },
    { by: 'business', says: 'We take turns: one early week, two late ones.' },
    { by: 'business', says: 'I will look at all applications on Monday and write to everybody.' },
  ],
  candidate: [
    { by: 'worker', says: 'Good afternoon, I applied this week. I can start at once.' },
    { by: 'business', says: 'Thank you! Have you worked with a till before?' },
    { by: 'worker', says: 'Three years, at two places. I can bring references.', answers: 1 },
  ],
  today: [
    { by: 'worker', says: 'The tram stands still at the bridge. I am walking the rest, five minutes.' },
    { by: 'business', says: 'No hurry, we open the doors later today.', reaction: 'heart' },
    { by: 'worker', says: 'I am at the side entrance, it is closed.' },
  ],
  delivered: [
    { by: 'worker', says: 'The wall is done, two coats. It needs a night to dry.', photo: true },
    {
      by: 'business',
      says: 'That looks better than the old one ever did.',
      answers: 0,
      reaction: 'thumbs-up',
    },
    { by: 'worker', says: 'If you see a mark tomorrow by daylight, tell me, I come by.' },
  ],
} satisfies Record<string, readonly TalkLine[]>;
