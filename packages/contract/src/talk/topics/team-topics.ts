import type { NoticeFacts } from './notice-facts.ts';
import { type Text, text } from './text.ts';
import { labels, type Topics } from './topic.ts';

const member = text("You're receiving this because you're on this team on Nearhand.");
const receivedAsMember = text("You're receiving this because you were on this team on Nearhand.");
const viewTeam = text('View team');

const asRole = ({ variant }: NoticeFacts): Text => {
  if (variant === 'owner') return text('As an owner.');
  if (variant === 'manager') return text('As a manager.');
  if (variant === 'coordinator') return text('As a coordinator.');
  return variant === 'finance' ? text('As a finance member.') : text('As a recruiter.');
};
const newRole = ({ variant }: NoticeFacts): Text => {
  if (variant === 'manager') return text("You're now a manager of {business}");
  if (variant === 'coordinator') return text("You're now a coordinator of {business}");
  return variant === 'finance'
    ? text("You're now a finance member of {business}")
    : text("You're now a recruiter of {business}");
};

export const teamTopics = {
  'team-invited': {
    group: 'account',
    to: 'the addressee',
    when: 'someone was invited to a team by their address, which is mailed too',
    link: 'invitations',
    locked: ['app'],
    waiting: true,
    icon: 'users',
    name: text('You are invited to a team'),
    title: () => text('{worker} invites you to the team of {business}'),
    text: (facts) => [asRole(facts), facts.by && text('Reply by {by}.')],
    button: text('View invitation'),
    mail: {
      subject: () => text('{worker} invites you to the team of {business}'),
      why: text("You're receiving this because a business invited this address to its team on Nearhand."),
    },
  },
  'team-joined': {
    group: 'account',
    to: 'business',
    when: 'someone joined the team',
    link: 'team',
    icon: 'user-plus',
    name: text('Someone joined your team'),
    title: () => text('{worker} joined {business}'),
    text: (notice) => [asRole(notice)],
    button: viewTeam,
    mail: { subject: () => text('{worker} joined {business}'), why: member },
  },
  'team-invitation-declined': {
    group: 'account',
    to: 'business',
    when: 'someone declined an invitation to the team',
    link: 'team',
    icon: 'x-circle',
    name: text('An invitation was declined'),
    title: () => text('{worker} declined to join {business}'),
    text: () => [text('You can invite someone else.')],
    button: viewTeam,
    mail: { subject: () => text('{worker} declined to join {business}'), why: member },
  },
  'team-invitation-asked': {
    group: 'account',
    to: 'business',
    when: 'someone asked for an invitation to another address',
    link: 'team',
    waiting: true,
    icon: 'user-plus',
    name: text('Someone asks to join with another address'),
    title: () => text('{worker} wants to join {business}'),
    text: () => [text('They opened an invitation that was sent to another address.')],
    button: text('Check the address'),
    mail: {
      subject: () => text('{worker} wants to join {business}'),
      details: () => [text('Check that you know them before you send it to their address.')],
      why: member,
    },
  },
  'team-role-changed': {
    group: 'account',
    to: 'business',
    when: "a member's role changed",
    link: 'team',
    icon: 'identification-card',
    name: text('Your role changed'),
    title: newRole,
    text: () => [text('The team page shows what you can do.')],
    button: viewTeam,
    mail: { subject: newRole, why: member },
  },
  'team-removed': {
    group: 'account',
    to: 'business',
    when: 'a member was removed from the team',
    link: 'business',
    icon: 'x-circle',
    name: text('You were removed from a team'),
    title: () => text("You're no longer on the team of {business}"),
    text: () => [text('An owner or manager removed you.')],
    button: text('Open Nearhand'),
    mail: {
      subject: () => text("You're no longer on the team of {business}"),
      details: () => [text('If you think this is a mistake, ask someone at the business.')],
      why: receivedAsMember,
    },
  },
  'team-left': {
    group: 'account',
    to: 'business',
    when: 'a member left the team',
    link: 'team',
    icon: 'sign-out',
    name: text('Someone left your team'),
    title: () => text('{worker} left {business}'),
    text: () => [text('Their jobs and conversations stay with the business.')],
    button: viewTeam,
    mail: { subject: () => text('{worker} left {business}'), why: member },
  },
  'team-ownership-offered': {
    group: 'account',
    to: 'business',
    when: 'an owner offered to hand over the business',
    link: 'team',
    locked: ['app', 'email'],
    waiting: true,
    icon: 'storefront',
    name: text('You are offered a business'),
    title: () => text('{worker} wants to hand over {business} to you'),
    text: ({ by }) => [by && text('Reply by {by}.')],
    button: text('View offer'),
    mail: {
      subject: () => text('{worker} wants to hand over {business} to you'),
      details: () => [text("You'd become its owner. We verify the business again after that.")],
      facts: ({ zoned }) => [[labels.replyBy, zoned.by]],
      why: member,
    },
  },
  'team-ownership-accepted': {
    group: 'account',
    to: 'business',
    when: 'the business has another owner',
    link: 'team',
    locked: ['app', 'email'],
    icon: 'check-circle',
    name: text('The owner changed'),
    title: () => text('{worker} now owns {business}'),
    text: () => [text('We verify the business again.')],
    button: viewTeam,
    mail: { subject: () => text('{worker} now owns {business}'), why: member },
  },
  'team-ownership-declined': {
    group: 'account',
    to: 'business',
    when: 'the offer to hand over the business was declined',
    link: 'team',
    icon: 'x-circle',
    name: text('Your offer to hand over was declined'),
    title: () => text("{worker} doesn't want to take over {business}"),
    text: () => [text("You're still its owner.")],
    button: viewTeam,
    mail: { subject: () => text("{worker} doesn't want to take over {business}"), why: member },
  },
  'team-ownership-expired': {
    group: 'account',
    to: 'business',
    when: 'the offer to hand over the business was not answered in time',
    link: 'team',
    icon: 'hourglass',
    name: text('Your offer to hand over expired'),
    title: () => text("{worker} didn't reply about {business}"),
    text: () => [text("You're still its owner. You can offer it again.")],
    button: viewTeam,
    mail: { subject: () => text("{worker} didn't reply about {business}"), why: member },
  },
  'business-closed': {
    group: 'account',
    to: 'business',
    when: 'an owner closed the business',
    link: 'business',
    locked: ['app', 'email'],
    icon: 'storefront',
    name: text('A business closed'),
    title: () => text('{business} is closed'),
    text: () => [text('An owner closed it. You can still view its jobs, payments and invoices.')],
    button: text('Open Nearhand'),
    mail: {
      subject: () => text('{business} is closed'),
      details: () => [text("It's gone for workers, and it can't be reopened.")],
      why: member,
    },
  },
} satisfies Topics;
