// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums -63.7292858 36.0132417 40.2674404 87.7090299 14.1470485 88.2983235 23.5025161 65.9771675 48.701012 -8.66037791 -122.285311 34.858306 36.7414555 62.9202021 97.761144 31.0539643
// cost: 6 instructions, 688372 ticks
module {
  func.func public @main(%arg0: tensor<70x64xf32>, %arg1: tensor<64x50xf32>, %arg2: tensor<50xf32>) -> (tensor<70x50xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<70x64xf32>, tensor<64x50xf32>) -> tensor<70x50xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<50xf32>) -> tensor<1x50xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x50xf32>) -> tensor<70x50xf32>
    %3 = stablehlo.add %0, %2 : tensor<70x50xf32>
    return %3 : tensor<70x50xf32>
  }
}
