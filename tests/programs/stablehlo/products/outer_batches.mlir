// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums -1.45923644 -5.99210549 -8.67560946 -15.2467859 -3.38933257 -3.57508484 -4.44427509 17.0358835 3.83300099 -19.4027386 10.5618327 -5.25665069 -6.33785913 -13.7515711 -3.14742756 0.00927054588
// cost: 4 instructions, 627745 ticks
module {
  func.func public @main(%arg0: tensor<2x9x70xf32>, %arg1: tensor<4x70xf32>) -> (tensor<2x9x4x70xf32>) {
    %0 = stablehlo.dot_general %arg1, %arg0, batching_dims = [1] x [2], contracting_dims = [] x [], precision = [DEFAULT, DEFAULT] : (tensor<4x70xf32>, tensor<2x9x70xf32>) -> tensor<70x4x2x9xf32>
    %1 = stablehlo.transpose %0, dims = [2, 3, 1, 0] : (tensor<70x4x2x9xf32>) -> tensor<2x9x4x70xf32>
    return %1 : tensor<2x9x4x70xf32>
  }
}
