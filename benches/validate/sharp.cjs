// Makes the pictures of a list with sharp, on one thread; prints the median milliseconds for all of them.
const { readFileSync, writeFileSync } = require('node:fs')
const sharp = require(require.resolve('sharp', { paths: [`${__dirname}/../../target/bench-sharp`] }))

sharp.concurrency(1)
sharp.cache(false)
const jobs = JSON.parse(readFileSync(process.argv[2])).map((job) => ({ ...job, bytes: readFileSync(job.source) }))

const make = ({ bytes, width, height }) =>
  sharp(bytes)
    .rotate()
    .resize(width, height, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 82 })
    .toBuffer()

async function main() {
  const times = []
  for (let run = 0; run < 4; run++) {
    const start = performance.now()
    for (const job of jobs) job.made = await make(job)
    if (run > 0) times.push(performance.now() - start)
  }
  for (const job of jobs) writeFileSync(job.target, job.made)
  console.log(times.sort((a, b) => a - b)[1])
}

main()
