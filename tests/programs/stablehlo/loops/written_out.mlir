// tolerance: 1e-06
// in: draw 5 -1 9.5367431640625e-07 2097153
// out: 0.961729527 -0.0730550587 0.896740079 0.578061759 0.700952053 0.725185752 0.872261524 -1.07303822 -1.04802322 -1.04360247 -0.700858474 -0.74601084 -0.486920714 0.264111221 -0.191462338 1.0196799 0.797720194 -0.976675153 1.17140591 -0.95957458 -0.748188794 -0.477249891 0.16953972 0.568522573 0.797103286 0.700601161 -0.446223944 0.0783472657 -0.661880076 -0.744837165 -0.48317647 -1.0282464
// out: sums 2.72421261 1.20222057 1.21983449 0.183946713 0.787833829 -4.17059805 0.288757533 0.143804139 -3.84913134 -0.511869201 4.2785804 2.62451222 -0.880663656 1.11764833 -4.2891389 6.462205
// cost: 12 instructions, 1286341 ticks
module {
  func.func public @main(%arg0: tensor<8x32xf32>) -> (tensor<32xf32>, tensor<8x32xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %cst_0 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<32xf32>
    %3 = stablehlo.slice %arg0 [0:1, 0:32] : (tensor<8x32xf32>) -> tensor<1x32xf32>
    %4 = stablehlo.reshape %3 : (tensor<1x32xf32>) -> tensor<32xf32>
    %5 = stablehlo.add %2, %4 : tensor<32xf32>
    %cst_1 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %7 = stablehlo.multiply %5, %6 : tensor<32xf32>
    %8 = stablehlo.slice %arg0 [1:2, 0:32] : (tensor<8x32xf32>) -> tensor<1x32xf32>
    %9 = stablehlo.reshape %8 : (tensor<1x32xf32>) -> tensor<32xf32>
    %10 = stablehlo.add %7, %9 : tensor<32xf32>
    %cst_2 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %12 = stablehlo.multiply %10, %11 : tensor<32xf32>
    %13 = stablehlo.slice %arg0 [2:3, 0:32] : (tensor<8x32xf32>) -> tensor<1x32xf32>
    %14 = stablehlo.reshape %13 : (tensor<1x32xf32>) -> tensor<32xf32>
    %15 = stablehlo.add %12, %14 : tensor<32xf32>
    %cst_3 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %17 = stablehlo.multiply %15, %16 : tensor<32xf32>
    %18 = stablehlo.slice %arg0 [3:4, 0:32] : (tensor<8x32xf32>) -> tensor<1x32xf32>
    %19 = stablehlo.reshape %18 : (tensor<1x32xf32>) -> tensor<32xf32>
    %20 = stablehlo.add %17, %19 : tensor<32xf32>
    %cst_4 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %22 = stablehlo.multiply %20, %21 : tensor<32xf32>
    %23 = stablehlo.slice %arg0 [4:5, 0:32] : (tensor<8x32xf32>) -> tensor<1x32xf32>
    %24 = stablehlo.reshape %23 : (tensor<1x32xf32>) -> tensor<32xf32>
    %25 = stablehlo.add %22, %24 : tensor<32xf32>
    %cst_5 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %27 = stablehlo.multiply %25, %26 : tensor<32xf32>
    %28 = stablehlo.slice %arg0 [5:6, 0:32] : (tensor<8x32xf32>) -> tensor<1x32xf32>
    %29 = stablehlo.reshape %28 : (tensor<1x32xf32>) -> tensor<32xf32>
    %30 = stablehlo.add %27, %29 : tensor<32xf32>
    %cst_6 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %32 = stablehlo.multiply %30, %31 : tensor<32xf32>
    %33 = stablehlo.slice %arg0 [6:7, 0:32] : (tensor<8x32xf32>) -> tensor<1x32xf32>
    %34 = stablehlo.reshape %33 : (tensor<1x32xf32>) -> tensor<32xf32>
    %35 = stablehlo.add %32, %34 : tensor<32xf32>
    %cst_7 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %37 = stablehlo.multiply %35, %36 : tensor<32xf32>
    %38 = stablehlo.slice %arg0 [7:8, 0:32] : (tensor<8x32xf32>) -> tensor<1x32xf32>
    %39 = stablehlo.reshape %38 : (tensor<1x32xf32>) -> tensor<32xf32>
    %40 = stablehlo.add %37, %39 : tensor<32xf32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %42 = stablehlo.broadcast_in_dim %35, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %43 = stablehlo.broadcast_in_dim %30, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %44 = stablehlo.broadcast_in_dim %25, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %45 = stablehlo.broadcast_in_dim %20, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %46 = stablehlo.broadcast_in_dim %15, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %47 = stablehlo.broadcast_in_dim %10, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %48 = stablehlo.broadcast_in_dim %5, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %49 = stablehlo.concatenate %41, %42, %43, %44, %45, %46, %47, %48, dim = 0 : (tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>, tensor<1x32xf32>) -> tensor<8x32xf32>
    return %40, %49 : tensor<32xf32>, tensor<8x32xf32>
  }
}
