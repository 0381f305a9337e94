import { Stars } from './stars.tsx';

export function ReviewText({
  level: Heading,
  name,
  about,
  stars,
  body,
}: {
  level: 'h2' | 'h3';
  name: string;
  about: string;
  stars: number;
  body: string;
}) {
  return (
    <>
      <div className="row top wrap">
        <div className="grow">
          <Heading className="h-s break">{name}</Heading>
          <p className="sm mute">{about}</p>
        </div>
        <Stars stars={stars} />
      </div>
      {body ? (
        <p className="pre-line break mt2" dir="auto">
          {body}
        </p>
      ) : null}
    </>
  );
}

export const ReviewReply = ({ title, body }: { title: string; body: string }) => (
  <div className="review-reply">
    <p className="sm mute">{title}</p>
    <p className="pre-line break" dir="auto">
      {body}
    </p>
  </div>
);
