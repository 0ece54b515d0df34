// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 3800.94709 3777.06352 3735.87101 3720.27733 3857.90932 3651.99574 3751.06402 3686.63325 3767.99222 3547.51872 3611.66036 3668.59659 3684.9903 3777.9323 3835.05662 3851.90347
// out: sums 22.4944539 35.1116912 -35.8778906 8.24623417 85.5370118 -67.1722947 88.1020196 -20.2087934 105.095633 -139.287607 -98.9385072 -46.4627428 -28.9463871 30.9468792 68.0959232 34.0315975
// out: 48943.1797 48892.7031
// cost: 35 instructions, 4674729 ticks
module {
  func.func public @main(%arg0: tensor<2x40000xf32>, %arg1: tensor<2x40000xf32>) -> (tensor<2x40000xf32>, tensor<2x40000xf32>, tensor<2xf32>) {
    %cst = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.minimum across dimensions = [1] : (tensor<2x40000xf32>, tensor<f32>) -> tensor<2xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.reduce(%arg0 init: %cst_0) applies stablehlo.maximum across dimensions = [1] : (tensor<2x40000xf32>, tensor<f32>) -> tensor<2xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %4 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x40000xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<2x40000xf32>
    %6 = stablehlo.subtract %3, %1 : tensor<2x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x40000xf32>
    %8 = stablehlo.divide %5, %7 : tensor<2x40000xf32>
    %9 = stablehlo.add %8, %arg1 : tensor<2x40000xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<2x40000xf32>, tensor<f32>) -> tensor<2xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %cst_2 = stablehlo.constant dense<4.000000e+04> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x1xf32>
    %13 = stablehlo.divide %11, %12 : tensor<2x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x40000xf32>
    %15 = stablehlo.subtract %9, %14 : tensor<2x40000xf32>
    %16 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x40000xf32>
    %17 = stablehlo.subtract %9, %16 : tensor<2x40000xf32>
    %18 = stablehlo.exponential %17 : tensor<2x40000xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.reduce(%18 init: %cst_3) applies stablehlo.add across dimensions = [1] : (tensor<2x40000xf32>, tensor<f32>) -> tensor<2xf32>
    return %9, %15, %19 : tensor<2x40000xf32>, tensor<2x40000xf32>, tensor<2xf32>
  }
}
