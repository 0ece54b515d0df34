// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 28.3233985 -59.2554789 40.216599 86.1576255 -7.53275078 19.3541847 159.672949 -132.753639 -38.1756028 -128.884561 -154.043344 -62.5943038 -7.47184481 -32.6295392 65.0445894 1.12314309
// cost: 5 instructions, 678852 ticks
module {
  func.func public @main(%arg0: tensor<50x40xf32>, %arg1: tensor<40x70xf32>) -> (tensor<70x50xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<50x40xf32>, tensor<40x70xf32>) -> tensor<50x70xf32>
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<50x70xf32>) -> tensor<70x50xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<70x50xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<70x50xf32>
    return %3 : tensor<70x50xf32>
  }
}
