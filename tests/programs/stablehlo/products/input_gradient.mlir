// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 36.0347684 325.378321 -51.6977546 -144.715473 -125.757885 -18.34468 113.124474 11.3445749 118.969094 53.5640956 255.928159 190.722454 45.7367327 -93.8703889 63.2907464 -88.6405399
// cost: 9 instructions, 778205 ticks
module {
  func.func public @main(%arg0: tensor<50x30xf32>, %arg1: tensor<30x20xf32>) -> (tensor<50x30xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<50x30xf32>, tensor<30x20xf32>) -> tensor<50x20xf32>
    %1 = chlo.square %0 : tensor<50x20xf32> -> tensor<50x20xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<50x20xf32>
    %3 = stablehlo.multiply %2, %0 : tensor<50x20xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%1 init: %cst_0) applies stablehlo.add across dimensions = [0, 1] : (tensor<50x20xf32>, tensor<f32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<50x20xf32>
    %6 = stablehlo.multiply %5, %3 : tensor<50x20xf32>
    %7 = stablehlo.dot_general %6, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<50x20xf32>, tensor<30x20xf32>) -> tensor<50x30xf32>
    return %7 : tensor<50x30xf32>
  }
}
