// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums 528.650932 -316.841971 -323.762667 334.087312 188.314709 56.813918 -1.16398421 265.56249 -128.548234 6.32588488 161.507269 -61.5352241 98.7335462 -184.82896 -564.49844 -261.222359
// cost: 46 instructions, 1971585 ticks
module {
  func.func public @main(%arg0: tensor<130x4x11x12xf32>) -> (tensor<130x4x7x7xf32>) {
    %0 = stablehlo.slice %arg0 [0:130, 0:4, 0:7, 0:7] : (tensor<130x4x11x12xf32>) -> tensor<130x4x7x7xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<130x4x7x7xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<130x4x7x7xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<130x4x7x7xf32>
    %4 = stablehlo.add %3, %2 : tensor<130x4x7x7xf32>
    %5 = stablehlo.slice %arg0 [0:130, 0:4, 0:7, 1:8] : (tensor<130x4x11x12xf32>) -> tensor<130x4x7x7xf32>
    %cst_1 = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<130x4x7x7xf32>
    %7 = stablehlo.multiply %5, %6 : tensor<130x4x7x7xf32>
    %8 = stablehlo.add %4, %7 : tensor<130x4x7x7xf32>
    %9 = stablehlo.slice %arg0 [0:130, 0:4, 0:7, 2:9] : (tensor<130x4x11x12xf32>) -> tensor<130x4x7x7xf32>
    %cst_2 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<130x4x7x7xf32>
    %11 = stablehlo.multiply %9, %10 : tensor<130x4x7x7xf32>
    %12 = stablehlo.add %8, %11 : tensor<130x4x7x7xf32>
    %13 = stablehlo.slice %arg0 [0:130, 0:4, 1:8, 0:7] : (tensor<130x4x11x12xf32>) -> tensor<130x4x7x7xf32>
    %14 = stablehlo.reverse %13, dims = [2] : tensor<130x4x7x7xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<130x4x7x7xf32>
    %16 = stablehlo.multiply %14, %15 : tensor<130x4x7x7xf32>
    %17 = stablehlo.add %12, %16 : tensor<130x4x7x7xf32>
    %18 = stablehlo.slice %arg0 [0:130, 0:4, 1:8, 1:8] : (tensor<130x4x11x12xf32>) -> tensor<130x4x7x7xf32>
    %19 = stablehlo.reverse %18, dims = [2] : tensor<130x4x7x7xf32>
    %cst_4 = stablehlo.constant dense<2.500000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<130x4x7x7xf32>
    %21 = stablehlo.multiply %19, %20 : tensor<130x4x7x7xf32>
    %22 = stablehlo.add %17, %21 : tensor<130x4x7x7xf32>
    %23 = stablehlo.slice %arg0 [0:130, 0:4, 1:8, 2:9] : (tensor<130x4x11x12xf32>) -> tensor<130x4x7x7xf32>
    %24 = stablehlo.reverse %23, dims = [2] : tensor<130x4x7x7xf32>
    %cst_5 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<130x4x7x7xf32>
    %26 = stablehlo.multiply %24, %25 : tensor<130x4x7x7xf32>
    %27 = stablehlo.add %22, %26 : tensor<130x4x7x7xf32>
    %28 = stablehlo.slice %arg0 [0:130, 0:4, 2:9, 0:7] : (tensor<130x4x11x12xf32>) -> tensor<130x4x7x7xf32>
    %cst_6 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<130x4x7x7xf32>
    %30 = stablehlo.multiply %28, %29 : tensor<130x4x7x7xf32>
    %31 = stablehlo.add %27, %30 : tensor<130x4x7x7xf32>
    %32 = stablehlo.slice %arg0 [0:130, 0:4, 2:9, 1:8] : (tensor<130x4x11x12xf32>) -> tensor<130x4x7x7xf32>
    %cst_7 = stablehlo.constant dense<3.500000e+00> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<130x4x7x7xf32>
    %34 = stablehlo.multiply %32, %33 : tensor<130x4x7x7xf32>
    %35 = stablehlo.add %31, %34 : tensor<130x4x7x7xf32>
    %36 = stablehlo.slice %arg0 [0:130, 0:4, 2:9, 2:9] : (tensor<130x4x11x12xf32>) -> tensor<130x4x7x7xf32>
    %cst_8 = stablehlo.constant dense<5.000000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<130x4x7x7xf32>
    %38 = stablehlo.multiply %36, %37 : tensor<130x4x7x7xf32>
    %39 = stablehlo.add %35, %38 : tensor<130x4x7x7xf32>
    return %39 : tensor<130x4x7x7xf32>
  }
}
