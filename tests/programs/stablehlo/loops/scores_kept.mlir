// tolerance: 0.005
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 0.14503306 -0.407650578 0.342031383 -0.195635823 0.288580194 0.52669688 -0.154380433 0.246964325 0.394796988 -0.426874338 -0.405335936 -0.00686326145 0.0724506206 -0.123250021 -0.366119819 -0.00662930773
// cost: 718 instructions, 18716390 ticks
module {
  func.func public @main(%arg0: tensor<2x16x16xf32>, %arg1: tensor<512x16xf32>) -> (tensor<2x16x16xf32>) {
    %c = stablehlo.constant dense<true> : tensor<i1>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<512x512xi1>
    %1 = call @tril(%0) : (tensor<512x512xi1>) -> tensor<512x512xi1>
    %cst = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %2:2 = call @_where(%1, %cst) : (tensor<512x512xi1>, tensor<f32>) -> (tensor<512x512xf32>, tensor<512x512xf32>)
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x512x16xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x16x512xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x512x16xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x512x512xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x512x1xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x512x1xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x512x512xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x512x16xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2x512x16xf32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %12:14 = stablehlo.while(%iterArg = %arg0, %iterArg_16 = %1, %iterArg_17 = %2#1, %iterArg_18 = %c_9, %iterArg_19 = %arg1, %iterArg_20 = %3, %iterArg_21 = %4, %iterArg_22 = %5, %iterArg_23 = %6, %iterArg_24 = %7, %iterArg_25 = %8, %iterArg_26 = %9, %iterArg_27 = %10, %iterArg_28 = %11) : tensor<2x16x16xf32>, tensor<512x512xi1>, tensor<512x512xf32>, tensor<i32>, tensor<512x16xf32>, tensor<2x512x16xf32>, tensor<2x16x512xf32>, tensor<2x512x16xf32>, tensor<2x512x512xf32>, tensor<2x512x1xf32>, tensor<2x512x1xf32>, tensor<2x512x512xf32>, tensor<2x512x16xf32>, tensor<2x512x16xf32>
    cond {
      %c_29 = stablehlo.constant dense<2> : tensor<i32>
      %22 = stablehlo.compare LT, %iterArg_18, %c_29, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %22 : tensor<i1>
    } do {
      %22 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_18) : (tensor<2x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %23:10 = func.call @closed_call(%iterArg_16, %iterArg_17, %iterArg_19, %22) : (tensor<512x512xi1>, tensor<512x512xf32>, tensor<512x16xf32>, tensor<16x16xf32>) -> (tensor<512x16xf32>, tensor<512x16xf32>, tensor<16x512xf32>, tensor<512x16xf32>, tensor<512x512xf32>, tensor<512x1xf32>, tensor<512x1xf32>, tensor<512x512xf32>, tensor<512x16xf32>, tensor<512x16xf32>)
      %24 = func.call @dynamic_update_index_in_dim(%iterArg_20, %23#1, %iterArg_18) : (tensor<2x512x16xf32>, tensor<512x16xf32>, tensor<i32>) -> tensor<2x512x16xf32>
      %25 = func.call @dynamic_update_index_in_dim_1(%iterArg_21, %23#2, %iterArg_18) : (tensor<2x16x512xf32>, tensor<16x512xf32>, tensor<i32>) -> tensor<2x16x512xf32>
      %26 = func.call @dynamic_update_index_in_dim(%iterArg_22, %23#3, %iterArg_18) : (tensor<2x512x16xf32>, tensor<512x16xf32>, tensor<i32>) -> tensor<2x512x16xf32>
      %27 = func.call @dynamic_update_index_in_dim_2(%iterArg_23, %23#4, %iterArg_18) : (tensor<2x512x512xf32>, tensor<512x512xf32>, tensor<i32>) -> tensor<2x512x512xf32>
      %28 = func.call @dynamic_update_index_in_dim_3(%iterArg_24, %23#5, %iterArg_18) : (tensor<2x512x1xf32>, tensor<512x1xf32>, tensor<i32>) -> tensor<2x512x1xf32>
      %29 = func.call @dynamic_update_index_in_dim_3(%iterArg_25, %23#6, %iterArg_18) : (tensor<2x512x1xf32>, tensor<512x1xf32>, tensor<i32>) -> tensor<2x512x1xf32>
      %30 = func.call @dynamic_update_index_in_dim_2(%iterArg_26, %23#7, %iterArg_18) : (tensor<2x512x512xf32>, tensor<512x512xf32>, tensor<i32>) -> tensor<2x512x512xf32>
      %31 = func.call @dynamic_update_index_in_dim(%iterArg_27, %23#8, %iterArg_18) : (tensor<2x512x16xf32>, tensor<512x16xf32>, tensor<i32>) -> tensor<2x512x16xf32>
      %32 = func.call @dynamic_update_index_in_dim(%iterArg_28, %23#9, %iterArg_18) : (tensor<2x512x16xf32>, tensor<512x16xf32>, tensor<i32>) -> tensor<2x512x16xf32>
      %c_29 = stablehlo.constant dense<1> : tensor<i32>
      %33 = stablehlo.add %iterArg_18, %c_29 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_16, %iterArg_17, %33, %23#0, %24, %25, %26, %27, %28, %29, %30, %31, %32 : tensor<2x16x16xf32>, tensor<512x512xi1>, tensor<512x512xf32>, tensor<i32>, tensor<512x16xf32>, tensor<2x512x16xf32>, tensor<2x16x512xf32>, tensor<2x512x16xf32>, tensor<2x512x512xf32>, tensor<2x512x1xf32>, tensor<2x512x1xf32>, tensor<2x512x512xf32>, tensor<2x512x16xf32>, tensor<2x512x16xf32>
    }
    %13 = stablehlo.multiply %12#4, %12#4 : tensor<512x16xf32>
    %cst_10 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<512x16xf32>
    %15 = stablehlo.multiply %14, %12#4 : tensor<512x16xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.reduce(%13 init: %cst_11) applies stablehlo.add across dimensions = [0, 1] : (tensor<512x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<512x16xf32>
    %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<512x16xf32>
    %19 = stablehlo.multiply %18, %15 : tensor<512x16xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %c_15 = stablehlo.constant dense<0> : tensor<i32>
    %21:15 = stablehlo.while(%iterArg = %arg0, %iterArg_16 = %12#5, %iterArg_17 = %12#6, %iterArg_18 = %12#7, %iterArg_19 = %12#8, %iterArg_20 = %12#9, %iterArg_21 = %12#10, %iterArg_22 = %12#11, %iterArg_23 = %12#12, %iterArg_24 = %12#13, %iterArg_25 = %1, %iterArg_26 = %2#0, %iterArg_27 = %c_15, %iterArg_28 = %19, %iterArg_29 = %20) : tensor<2x16x16xf32>, tensor<2x512x16xf32>, tensor<2x16x512xf32>, tensor<2x512x16xf32>, tensor<2x512x512xf32>, tensor<2x512x1xf32>, tensor<2x512x1xf32>, tensor<2x512x512xf32>, tensor<2x512x16xf32>, tensor<2x512x16xf32>, tensor<512x512xi1>, tensor<512x512xf32>, tensor<i32>, tensor<512x16xf32>, tensor<2x16x16xf32>
    cond {
      %c_30 = stablehlo.constant dense<2> : tensor<i32>
      %22 = stablehlo.compare LT, %iterArg_27, %c_30, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %22 : tensor<i1>
    } do {
      %c_30 = stablehlo.constant dense<2> : tensor<i32>
      %22 = stablehlo.subtract %c_30, %iterArg_27 : tensor<i32>
      %c_31 = stablehlo.constant dense<1> : tensor<i32>
      %23 = stablehlo.subtract %22, %c_31 : tensor<i32>
      %24 = func.call @dynamic_index_in_dim(%iterArg, %23) : (tensor<2x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %25 = func.call @dynamic_index_in_dim_4(%iterArg_16, %23) : (tensor<2x512x16xf32>, tensor<i32>) -> tensor<512x16xf32>
      %26 = func.call @dynamic_index_in_dim_5(%iterArg_17, %23) : (tensor<2x16x512xf32>, tensor<i32>) -> tensor<16x512xf32>
      %27 = func.call @dynamic_index_in_dim_4(%iterArg_18, %23) : (tensor<2x512x16xf32>, tensor<i32>) -> tensor<512x16xf32>
      %28 = func.call @dynamic_index_in_dim_6(%iterArg_19, %23) : (tensor<2x512x512xf32>, tensor<i32>) -> tensor<512x512xf32>
      %29 = func.call @dynamic_index_in_dim_7(%iterArg_20, %23) : (tensor<2x512x1xf32>, tensor<i32>) -> tensor<512x1xf32>
      %30 = func.call @dynamic_index_in_dim_7(%iterArg_21, %23) : (tensor<2x512x1xf32>, tensor<i32>) -> tensor<512x1xf32>
      %31 = func.call @dynamic_index_in_dim_6(%iterArg_22, %23) : (tensor<2x512x512xf32>, tensor<i32>) -> tensor<512x512xf32>
      %32 = func.call @dynamic_index_in_dim_4(%iterArg_23, %23) : (tensor<2x512x16xf32>, tensor<i32>) -> tensor<512x16xf32>
      %33 = func.call @dynamic_index_in_dim_4(%iterArg_24, %23) : (tensor<2x512x16xf32>, tensor<i32>) -> tensor<512x16xf32>
      %34:2 = func.call @closed_call_8(%iterArg_25, %iterArg_26, %iterArg_28, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33) : (tensor<512x512xi1>, tensor<512x512xf32>, tensor<512x16xf32>, tensor<16x16xf32>, tensor<512x16xf32>, tensor<16x512xf32>, tensor<512x16xf32>, tensor<512x512xf32>, tensor<512x1xf32>, tensor<512x1xf32>, tensor<512x512xf32>, tensor<512x16xf32>, tensor<512x16xf32>) -> (tensor<512x16xf32>, tensor<16x16xf32>)
      %35 = func.call @dynamic_update_index_in_dim_10(%iterArg_29, %34#1, %23) : (tensor<2x16x16xf32>, tensor<16x16xf32>, tensor<i32>) -> tensor<2x16x16xf32>
      %c_32 = stablehlo.constant dense<1> : tensor<i32>
      %36 = stablehlo.add %iterArg_27, %c_32 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_16, %iterArg_17, %iterArg_18, %iterArg_19, %iterArg_20, %iterArg_21, %iterArg_22, %iterArg_23, %iterArg_24, %iterArg_25, %iterArg_26, %36, %34#0, %35 : tensor<2x16x16xf32>, tensor<2x512x16xf32>, tensor<2x16x512xf32>, tensor<2x512x16xf32>, tensor<2x512x512xf32>, tensor<2x512x1xf32>, tensor<2x512x1xf32>, tensor<2x512x512xf32>, tensor<2x512x16xf32>, tensor<2x512x16xf32>, tensor<512x512xi1>, tensor<512x512xf32>, tensor<i32>, tensor<512x16xf32>, tensor<2x16x16xf32>
    }
    return %21#14 : tensor<2x16x16xf32>
  }
  func.func private @tril(%arg0: tensor<512x512xi1>) -> tensor<512x512xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<512x512xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<512x512xi32>
    %2 = stablehlo.add %0, %1 : tensor<512x512xi32>
    %3 = stablehlo.iota dim = 1 : tensor<512x512xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<512x512xi32>, tensor<512x512xi32>) -> tensor<512x512xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<512x512xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<512x512xi1>, tensor<512x512xi1>
    return %6 : tensor<512x512xi1>
  }
  func.func private @_where(%arg0: tensor<512x512xi1>, %arg1: tensor<f32>) -> (tensor<512x512xf32>, tensor<512x512xf32>) {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<512x512xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<512x512xf32>
    return %2, %1 : tensor<512x512xf32>, tensor<512x512xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<2x16x16xf32>, %arg1: tensor<i32>) -> tensor<16x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 16, 16] : (tensor<2x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x16x16xf32>) -> tensor<16x16xf32>
    return %1 : tensor<16x16xf32>
  }
  func.func private @closed_call(%arg0: tensor<512x512xi1>, %arg1: tensor<512x512xf32>, %arg2: tensor<512x16xf32>, %arg3: tensor<16x16xf32>) -> (tensor<512x16xf32>, tensor<512x16xf32>, tensor<16x512xf32>, tensor<512x16xf32>, tensor<512x512xf32>, tensor<512x1xf32>, tensor<512x1xf32>, tensor<512x512xf32>, tensor<512x16xf32>, tensor<512x16xf32>) {
    %0 = stablehlo.dot_general %arg2, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<16x16xf32>) -> tensor<512x16xf32>
    %1 = stablehlo.transpose %arg2, dims = [1, 0] : (tensor<512x16xf32>) -> tensor<16x512xf32>
    %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<16x512xf32>) -> tensor<512x512xf32>
    %cst = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<512x512xf32>
    %4 = stablehlo.multiply %2, %3 : tensor<512x512xf32>
    %5 = call @_where_0(%4, %arg0, %arg1) : (tensor<512x512xf32>, tensor<512x512xi1>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst_0) applies stablehlo.maximum across dimensions = [1] : (tensor<512x512xf32>, tensor<f32>) -> tensor<512xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<512xf32>
    %8 = stablehlo.maximum %7, %6 : tensor<512xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<512xf32>) -> tensor<512x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<512x1xf32>) -> tensor<512x512xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<512x512xf32>
    %12 = stablehlo.exponential %11 : tensor<512x512xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<512x512xf32>, tensor<f32>) -> tensor<512xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0] : (tensor<512xf32>) -> tensor<512x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<512x1xf32>) -> tensor<512x512xf32>
    %16 = stablehlo.divide %12, %15 : tensor<512x512xf32>
    %17 = stablehlo.multiply %14, %14 : tensor<512x1xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<512x1xf32>
    %19 = stablehlo.divide %18, %17 : tensor<512x1xf32>
    %20 = stablehlo.dot_general %16, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x512xf32>, tensor<512x16xf32>) -> tensor<512x16xf32>
    %21 = stablehlo.tanh %20 : tensor<512x16xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<512x16xf32>
    %23 = stablehlo.subtract %22, %21 : tensor<512x16xf32>
    return %21, %arg2, %1, %0, %12, %14, %19, %16, %21, %23 : tensor<512x16xf32>, tensor<512x16xf32>, tensor<16x512xf32>, tensor<512x16xf32>, tensor<512x512xf32>, tensor<512x1xf32>, tensor<512x1xf32>, tensor<512x512xf32>, tensor<512x16xf32>, tensor<512x16xf32>
  }
  func.func private @_where_0(%arg0: tensor<512x512xf32>, %arg1: tensor<512x512xi1>, %arg2: tensor<512x512xf32>) -> tensor<512x512xf32> {
    %0 = stablehlo.select %arg1, %arg0, %arg2 : tensor<512x512xi1>, tensor<512x512xf32>
    return %0 : tensor<512x512xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<2x512x16xf32>, %arg1: tensor<512x16xf32>, %arg2: tensor<i32>) -> tensor<2x512x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<512x16xf32>) -> tensor<1x512x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<2x512x16xf32>, tensor<1x512x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x512x16xf32>
    return %1 : tensor<2x512x16xf32>
  }
  func.func private @dynamic_update_index_in_dim_1(%arg0: tensor<2x16x512xf32>, %arg1: tensor<16x512xf32>, %arg2: tensor<i32>) -> tensor<2x16x512xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<16x512xf32>) -> tensor<1x16x512xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<2x16x512xf32>, tensor<1x16x512xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x16x512xf32>
    return %1 : tensor<2x16x512xf32>
  }
  func.func private @dynamic_update_index_in_dim_2(%arg0: tensor<2x512x512xf32>, %arg1: tensor<512x512xf32>, %arg2: tensor<i32>) -> tensor<2x512x512xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<512x512xf32>) -> tensor<1x512x512xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<2x512x512xf32>, tensor<1x512x512xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x512x512xf32>
    return %1 : tensor<2x512x512xf32>
  }
  func.func private @dynamic_update_index_in_dim_3(%arg0: tensor<2x512x1xf32>, %arg1: tensor<512x1xf32>, %arg2: tensor<i32>) -> tensor<2x512x1xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<512x1xf32>) -> tensor<1x512x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<2x512x1xf32>, tensor<1x512x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x512x1xf32>
    return %1 : tensor<2x512x1xf32>
  }
  func.func private @dynamic_index_in_dim_4(%arg0: tensor<2x512x16xf32>, %arg1: tensor<i32>) -> tensor<512x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 512, 16] : (tensor<2x512x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x512x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x512x16xf32>) -> tensor<512x16xf32>
    return %1 : tensor<512x16xf32>
  }
  func.func private @dynamic_index_in_dim_5(%arg0: tensor<2x16x512xf32>, %arg1: tensor<i32>) -> tensor<16x512xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 16, 512] : (tensor<2x16x512xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x512xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x16x512xf32>) -> tensor<16x512xf32>
    return %1 : tensor<16x512xf32>
  }
  func.func private @dynamic_index_in_dim_6(%arg0: tensor<2x512x512xf32>, %arg1: tensor<i32>) -> tensor<512x512xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 512, 512] : (tensor<2x512x512xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x512x512xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x512x512xf32>) -> tensor<512x512xf32>
    return %1 : tensor<512x512xf32>
  }
  func.func private @dynamic_index_in_dim_7(%arg0: tensor<2x512x1xf32>, %arg1: tensor<i32>) -> tensor<512x1xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 512, 1] : (tensor<2x512x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x512x1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x512x1xf32>) -> tensor<512x1xf32>
    return %1 : tensor<512x1xf32>
  }
  func.func private @closed_call_8(%arg0: tensor<512x512xi1>, %arg1: tensor<512x512xf32>, %arg2: tensor<512x16xf32>, %arg3: tensor<16x16xf32>, %arg4: tensor<512x16xf32>, %arg5: tensor<16x512xf32>, %arg6: tensor<512x16xf32>, %arg7: tensor<512x512xf32>, %arg8: tensor<512x1xf32>, %arg9: tensor<512x1xf32>, %arg10: tensor<512x512xf32>, %arg11: tensor<512x16xf32>, %arg12: tensor<512x16xf32>) -> (tensor<512x16xf32>, tensor<16x16xf32>) {
    %0 = stablehlo.multiply %arg2, %arg12 : tensor<512x16xf32>
    %1 = stablehlo.multiply %0, %arg11 : tensor<512x16xf32>
    %2 = stablehlo.add %0, %1 : tensor<512x16xf32>
    %3 = stablehlo.dot_general %2, %arg10, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<512x512xf32>) -> tensor<16x512xf32>
    %4 = stablehlo.transpose %3, dims = [1, 0] : (tensor<16x512xf32>) -> tensor<512x16xf32>
    %5 = stablehlo.dot_general %2, %arg4, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<512x16xf32>) -> tensor<512x512xf32>
    %6 = stablehlo.broadcast_in_dim %arg9, dims = [0, 1] : (tensor<512x1xf32>) -> tensor<512x512xf32>
    %7 = stablehlo.multiply %5, %6 : tensor<512x512xf32>
    %8 = stablehlo.multiply %7, %arg7 : tensor<512x512xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<512x512xf32>, tensor<f32>) -> tensor<512xf32>
    %10 = stablehlo.reshape %9 : (tensor<512xf32>) -> tensor<512x1xf32>
    %11 = stablehlo.negate %10 : tensor<512x1xf32>
    %12 = stablehlo.broadcast_in_dim %arg8, dims = [0, 1] : (tensor<512x1xf32>) -> tensor<512x512xf32>
    %13 = stablehlo.divide %5, %12 : tensor<512x512xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.reduce(%11 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<512x1xf32>, tensor<f32>) -> tensor<512xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0] : (tensor<512xf32>) -> tensor<512x512xf32>
    %16 = stablehlo.add %13, %15 : tensor<512x512xf32>
    %17 = stablehlo.multiply %16, %arg7 : tensor<512x512xf32>
    %18 = call @_where_9(%arg0, %arg1, %17) : (tensor<512x512xi1>, tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    %cst_1 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<512x512xf32>
    %20 = stablehlo.multiply %18, %19 : tensor<512x512xf32>
    %21 = stablehlo.dot_general %20, %arg6, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x512xf32>, tensor<512x16xf32>) -> tensor<512x16xf32>
    %22 = stablehlo.transpose %21, dims = [1, 0] : (tensor<512x16xf32>) -> tensor<16x512xf32>
    %23 = stablehlo.dot_general %20, %arg5, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x512xf32>, tensor<16x512xf32>) -> tensor<512x16xf32>
    %24 = stablehlo.transpose %22, dims = [1, 0] : (tensor<16x512xf32>) -> tensor<512x16xf32>
    %25 = stablehlo.add %4, %24 : tensor<512x16xf32>
    %26 = stablehlo.dot_general %23, %arg4, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<512x16xf32>) -> tensor<16x16xf32>
    %27 = stablehlo.transpose %26, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %28 = stablehlo.dot_general %23, %arg3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<512x16xf32>, tensor<16x16xf32>) -> tensor<512x16xf32>
    %29 = stablehlo.add %25, %28 : tensor<512x16xf32>
    return %29, %27 : tensor<512x16xf32>, tensor<16x16xf32>
  }
  func.func private @_where_9(%arg0: tensor<512x512xi1>, %arg1: tensor<512x512xf32>, %arg2: tensor<512x512xf32>) -> tensor<512x512xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<512x512xf32>
    %1 = stablehlo.select %arg0, %arg2, %0 : tensor<512x512xi1>, tensor<512x512xf32>
    return %1 : tensor<512x512xf32>
  }
  func.func private @dynamic_update_index_in_dim_10(%arg0: tensor<2x16x16xf32>, %arg1: tensor<16x16xf32>, %arg2: tensor<i32>) -> tensor<2x16x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<16x16xf32>) -> tensor<1x16x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<2x16x16xf32>, tensor<1x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x16x16xf32>
    return %1 : tensor<2x16x16xf32>
  }
}
