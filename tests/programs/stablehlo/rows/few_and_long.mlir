// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums -100.917755 -78.395351 -70.2627533 -0.276003039 134.503173 -138.64015 56.2015718 -94.021978 21.1595885 -24.1025258 -19.5788683 12.4772047 97.2074933 127.697808 -20.2483937 -6.91340525
// out: 1.70493472 1.70823133 1.70840359
// out: sums 4.58343737 4.48697434 4.48903083 4.49635963 4.51260444 4.47577388 4.39827516 4.38139483 4.27538954 4.25503355 4.42400647 4.46121265 4.39583116 4.38994918 4.53026949 4.6520441
// out: 19999 20052 20058
// cost: 71 instructions, 7608402 ticks
module {
  func.func public @main(%arg0: tensor<3x40000xf32>, %arg1: tensor<40000xf32>) -> (tensor<3x40000xf32>, tensor<3xf32>, tensor<40000xf32>, tensor<3xi32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<3x40000xf32>, tensor<f32>) -> tensor<3xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<3xf32>) -> tensor<3x1xf32>
    %cst_0 = stablehlo.constant dense<4.000000e+04> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<3x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x40000xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<3x40000xf32>
    %6 = stablehlo.multiply %5, %5 : tensor<3x40000xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<3x40000xf32>, tensor<f32>) -> tensor<3xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<3xf32>) -> tensor<3x1xf32>
    %cst_2 = stablehlo.constant dense<4.000000e+04> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
    %10 = stablehlo.divide %8, %9 : tensor<3x1xf32>
    %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
    %12 = stablehlo.add %10, %11 : tensor<3x1xf32>
    %13 = stablehlo.rsqrt %12 : tensor<3x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x40000xf32>
    %15 = stablehlo.multiply %5, %14 : tensor<3x40000xf32>
    %16 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<40000xf32>) -> tensor<1x40000xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1] : (tensor<1x40000xf32>) -> tensor<3x40000xf32>
    %18 = stablehlo.multiply %15, %17 : tensor<3x40000xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %19 = stablehlo.reduce(%18 init: %cst_4) applies stablehlo.maximum across dimensions = [1] : (tensor<3x40000xf32>, tensor<f32>) -> tensor<3xf32>
    %cst_5 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<3x40000xf32>
    %21 = stablehlo.subtract %18, %20 : tensor<3x40000xf32>
    %22 = stablehlo.exponential %21 : tensor<3x40000xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.reduce(%22 init: %cst_6) applies stablehlo.add across dimensions = [0] : (tensor<3x40000xf32>, tensor<f32>) -> tensor<40000xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<3x40000xf32>
    %25 = stablehlo.compare GT, %18, %24, FLOAT : (tensor<3x40000xf32>, tensor<3x40000xf32>) -> tensor<3x40000xi1>
    %26 = stablehlo.convert %25 : (tensor<3x40000xi1>) -> tensor<3x40000xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %27 = stablehlo.reduce(%26 init: %c) applies stablehlo.add across dimensions = [1] : (tensor<3x40000xi32>, tensor<i32>) -> tensor<3xi32>
    return %18, %19, %23, %27 : tensor<3x40000xf32>, tensor<3xf32>, tensor<40000xf32>, tensor<3xi32>
  }
}
