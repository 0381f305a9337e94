import { Loading, SkeletonBar } from '../../ui/pages/skeleton.tsx';

export function BalanceSkeleton() {
  return (
    <Loading>
      <div className="balance-page">
        <span className="sk balance-sk" />
        <div className="sk-lines">
          <SkeletonBar width={30} />
          <span className="sk balance-sk-field" />
        </div>
        <div className="sk-lines">
          <SkeletonBar width={40} />
          <SkeletonBar width={80} />
          <SkeletonBar width={70} />
        </div>
      </div>
    </Loading>
  );
}
