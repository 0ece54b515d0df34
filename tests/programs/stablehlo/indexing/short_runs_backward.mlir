// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums -36.9095324 76.3457049 36.6482921 -73.5905152 81.1884276 -59.4215202 -136.64074 -99.8829823 5.28583517 0.675028466 -36.2595628 -5.07619518 80.33209 -17.2154066 -142.321019 -18.0621297
// out: sums -41.2034069 -45.4265822 -48.3630583 -131.928535 -8.3116374 -24.7416431 -71.7441451 -111.637252 -1.30321377 26.6509456 30.7488635 -42.5330735 36.7510378 0.877305515 -50.3161391 -37.3429853
// out: sums 51.6151319 -4.63509091 51.2446975 20.2223675 -112.134824 -131.794408 -18.1294771 -132.928354 23.5587962 52.1819086 -4.03823387 -8.06568918 -65.8413808 55.513641 67.3239436 -78.4132309
// cost: 12 instructions, 1397543 ticks
module {
  func.func public @main(%arg0: tensor<128x24x13xf32>) -> (tensor<128x24x7xf32>, tensor<128x24x6xf32>, tensor<128x24x6xf32>) {
    %0 = stablehlo.slice %arg0 [0:128, 0:24, 0:7] : (tensor<128x24x13xf32>) -> tensor<128x24x7xf32>
    %1 = stablehlo.reverse %0, dims = [2] : tensor<128x24x7xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<128x24x7xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<128x24x7xf32>
    %4 = stablehlo.slice %arg0 [0:128, 0:24, 0:7] : (tensor<128x24x13xf32>) -> tensor<128x24x7xf32>
    %5 = stablehlo.add %3, %4 : tensor<128x24x7xf32>
    %6 = stablehlo.slice %arg0 [0:128, 0:24, 3:9] : (tensor<128x24x13xf32>) -> tensor<128x24x6xf32>
    %7 = stablehlo.reverse %6, dims = [1] : tensor<128x24x6xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<128x24x6xf32>
    %9 = stablehlo.multiply %7, %8 : tensor<128x24x6xf32>
    %10 = stablehlo.slice %arg0 [0:128, 0:24, 0:6] : (tensor<128x24x13xf32>) -> tensor<128x24x6xf32>
    %11 = stablehlo.add %9, %10 : tensor<128x24x6xf32>
    %12 = stablehlo.slice %arg0 [0:128, 0:24, 3:9] : (tensor<128x24x13xf32>) -> tensor<128x24x6xf32>
    %13 = stablehlo.reverse %12, dims = [1, 2] : tensor<128x24x6xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<128x24x6xf32>
    %15 = stablehlo.multiply %13, %14 : tensor<128x24x6xf32>
    %16 = stablehlo.slice %arg0 [0:128, 0:24, 1:7] : (tensor<128x24x13xf32>) -> tensor<128x24x6xf32>
    %17 = stablehlo.add %15, %16 : tensor<128x24x6xf32>
    return %5, %11, %17 : tensor<128x24x7xf32>, tensor<128x24x6xf32>, tensor<128x24x6xf32>
  }
}
