// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums -46.9327214 30.730463 35.1214884 69.3151436 -31.9990503 80.9711457 -7.46284969 57.1982582 54.0737477 -44.4180369 -137.237311 6.22658586 24.587837 48.6783018 77.6741788 35.875459
// cost: 6 instructions, 696772 ticks
module {
  func.func public @main(%arg0: tensor<70x64xf32>, %arg1: tensor<64x50xf32>, %arg2: tensor<70xf32>) -> (tensor<70x50xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<70x64xf32>, tensor<64x50xf32>) -> tensor<70x50xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [0] : (tensor<70xf32>) -> tensor<70x1xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<70x1xf32>) -> tensor<70x50xf32>
    %3 = stablehlo.add %0, %2 : tensor<70x50xf32>
    return %3 : tensor<70x50xf32>
  }
}
