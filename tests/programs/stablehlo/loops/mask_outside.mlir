// tolerance: 0.002
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 0.0806598574 -0.204018113 0.129972806 0.00388719126 0.0436715123 0.473661423 -0.0975865415 0.264901089 0.156086953 -0.10326177 -0.39741104 -0.127059569 0.123390586 -0.0193555035 -0.260017858 0.0398136781
// cost: 167 instructions, 4838229 ticks
module {
  func.func public @main(%arg0: tensor<2x16x16xf32>, %arg1: tensor<40x16xf32>) -> (tensor<2x16x16xf32>) {
    %c = stablehlo.constant dense<true> : tensor<i1>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<40x40xi1>
    %1 = call @tril(%0) : (tensor<40x40xi1>) -> tensor<40x40xi1>
    %cst = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %2 = call @_where(%1, %cst) : (tensor<40x40xi1>, tensor<f32>) -> tensor<40x40xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x40x16xf32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %4:6 = stablehlo.while(%iterArg = %arg0, %iterArg_8 = %1, %iterArg_9 = %2, %iterArg_10 = %c_1, %iterArg_11 = %arg1, %iterArg_12 = %3) : tensor<2x16x16xf32>, tensor<40x40xi1>, tensor<40x40xf32>, tensor<i32>, tensor<40x16xf32>, tensor<2x40x16xf32>
    cond {
      %c_13 = stablehlo.constant dense<2> : tensor<i32>
      %14 = stablehlo.compare LT, %iterArg_10, %c_13, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %14 : tensor<i1>
    } do {
      %14 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_10) : (tensor<2x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %15:2 = func.call @closed_call(%iterArg_8, %iterArg_9, %iterArg_11, %14) : (tensor<40x40xi1>, tensor<40x40xf32>, tensor<40x16xf32>, tensor<16x16xf32>) -> (tensor<40x16xf32>, tensor<40x16xf32>)
      %16 = func.call @dynamic_update_index_in_dim(%iterArg_12, %15#1, %iterArg_10) : (tensor<2x40x16xf32>, tensor<40x16xf32>, tensor<i32>) -> tensor<2x40x16xf32>
      %c_13 = stablehlo.constant dense<1> : tensor<i32>
      %17 = stablehlo.add %iterArg_10, %c_13 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_8, %iterArg_9, %17, %15#0, %16 : tensor<2x16x16xf32>, tensor<40x40xi1>, tensor<40x40xf32>, tensor<i32>, tensor<40x16xf32>, tensor<2x40x16xf32>
    }
    %5 = stablehlo.multiply %4#4, %4#4 : tensor<40x16xf32>
    %cst_2 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<40x16xf32>
    %7 = stablehlo.multiply %6, %4#4 : tensor<40x16xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%5 init: %cst_3) applies stablehlo.add across dimensions = [0, 1] : (tensor<40x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<40x16xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<40x16xf32>
    %11 = stablehlo.multiply %10, %7 : tensor<40x16xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %13:5 = stablehlo.while(%iterArg = %4#5, %iterArg_8 = %arg0, %iterArg_9 = %c_7, %iterArg_10 = %11, %iterArg_11 = %12) : tensor<2x40x16xf32>, tensor<2x16x16xf32>, tensor<i32>, tensor<40x16xf32>, tensor<2x16x16xf32>
    cond {
      %c_12 = stablehlo.constant dense<2> : tensor<i32>
      %14 = stablehlo.compare LT, %iterArg_9, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %14 : tensor<i1>
    } do {
      %c_12 = stablehlo.constant dense<2> : tensor<i32>
      %14 = stablehlo.subtract %c_12, %iterArg_9 : tensor<i32>
      %c_13 = stablehlo.constant dense<1> : tensor<i32>
      %15 = stablehlo.subtract %14, %c_13 : tensor<i32>
      %16 = func.call @dynamic_index_in_dim_1(%iterArg, %15) : (tensor<2x40x16xf32>, tensor<i32>) -> tensor<40x16xf32>
      %17 = func.call @dynamic_index_in_dim(%iterArg_8, %15) : (tensor<2x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %18:2 = func.call @closed_call_2(%iterArg_10, %16, %17) : (tensor<40x16xf32>, tensor<40x16xf32>, tensor<16x16xf32>) -> (tensor<40x16xf32>, tensor<16x16xf32>)
      %19 = func.call @dynamic_update_index_in_dim_6(%iterArg_11, %18#1, %15) : (tensor<2x16x16xf32>, tensor<16x16xf32>, tensor<i32>) -> tensor<2x16x16xf32>
      %c_14 = stablehlo.constant dense<1> : tensor<i32>
      %20 = stablehlo.add %iterArg_9, %c_14 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_8, %20, %18#0, %19 : tensor<2x40x16xf32>, tensor<2x16x16xf32>, tensor<i32>, tensor<40x16xf32>, tensor<2x16x16xf32>
    }
    return %13#4 : tensor<2x16x16xf32>
  }
  func.func private @tril(%arg0: tensor<40x40xi1>) -> tensor<40x40xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<40x40xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<40x40xi32>
    %2 = stablehlo.add %0, %1 : tensor<40x40xi32>
    %3 = stablehlo.iota dim = 1 : tensor<40x40xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<40x40xi32>, tensor<40x40xi32>) -> tensor<40x40xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<40x40xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<40x40xi1>, tensor<40x40xi1>
    return %6 : tensor<40x40xi1>
  }
  func.func private @_where(%arg0: tensor<40x40xi1>, %arg1: tensor<f32>) -> tensor<40x40xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<40x40xf32>
    return %1 : tensor<40x40xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<2x16x16xf32>, %arg1: tensor<i32>) -> tensor<16x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 16, 16] : (tensor<2x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x16x16xf32>) -> tensor<16x16xf32>
    return %1 : tensor<16x16xf32>
  }
  func.func private @closed_call(%arg0: tensor<40x40xi1>, %arg1: tensor<40x40xf32>, %arg2: tensor<40x16xf32>, %arg3: tensor<16x16xf32>) -> (tensor<40x16xf32>, tensor<40x16xf32>) {
    %0 = stablehlo.dot_general %arg2, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<40x16xf32>, tensor<16x16xf32>) -> tensor<40x16xf32>
    %1 = stablehlo.transpose %arg2, dims = [1, 0] : (tensor<40x16xf32>) -> tensor<16x40xf32>
    %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<40x16xf32>, tensor<16x40xf32>) -> tensor<40x40xf32>
    %cst = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<40x40xf32>
    %4 = stablehlo.multiply %2, %3 : tensor<40x40xf32>
    %5 = call @_where_0(%4, %arg0, %arg1) : (tensor<40x40xf32>, tensor<40x40xi1>, tensor<40x40xf32>) -> tensor<40x40xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst_0) applies stablehlo.maximum across dimensions = [1] : (tensor<40x40xf32>, tensor<f32>) -> tensor<40xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %8 = stablehlo.maximum %7, %6 : tensor<40xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<40xf32>) -> tensor<40x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<40x1xf32>) -> tensor<40x40xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<40x40xf32>
    %12 = stablehlo.exponential %11 : tensor<40x40xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<40x40xf32>, tensor<f32>) -> tensor<40xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0] : (tensor<40xf32>) -> tensor<40x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<40x1xf32>) -> tensor<40x40xf32>
    %16 = stablehlo.divide %12, %15 : tensor<40x40xf32>
    %17 = stablehlo.dot_general %16, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<40x40xf32>, tensor<40x16xf32>) -> tensor<40x16xf32>
    %18 = stablehlo.tanh %17 : tensor<40x16xf32>
    return %18, %arg2 : tensor<40x16xf32>, tensor<40x16xf32>
  }
  func.func private @_where_0(%arg0: tensor<40x40xf32>, %arg1: tensor<40x40xi1>, %arg2: tensor<40x40xf32>) -> tensor<40x40xf32> {
    %0 = stablehlo.select %arg1, %arg0, %arg2 : tensor<40x40xi1>, tensor<40x40xf32>
    return %0 : tensor<40x40xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<2x40x16xf32>, %arg1: tensor<40x16xf32>, %arg2: tensor<i32>) -> tensor<2x40x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<40x16xf32>) -> tensor<1x40x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<2x40x16xf32>, tensor<1x40x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x40x16xf32>
    return %1 : tensor<2x40x16xf32>
  }
  func.func private @dynamic_index_in_dim_1(%arg0: tensor<2x40x16xf32>, %arg1: tensor<i32>) -> tensor<40x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 40, 16] : (tensor<2x40x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x40x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x40x16xf32>) -> tensor<40x16xf32>
    return %1 : tensor<40x16xf32>
  }
  func.func private @closed_call_2(%arg0: tensor<40x16xf32>, %arg1: tensor<40x16xf32>, %arg2: tensor<16x16xf32>) -> (tensor<40x16xf32>, tensor<16x16xf32>) {
    %0:3 = stablehlo.optimization_barrier %arg1, %arg2, %arg0 : tensor<40x16xf32>, tensor<16x16xf32>, tensor<40x16xf32>
    %1 = stablehlo.dot_general %0#0, %0#1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<40x16xf32>, tensor<16x16xf32>) -> tensor<40x16xf32>
    %2 = stablehlo.transpose %0#0, dims = [1, 0] : (tensor<40x16xf32>) -> tensor<16x40xf32>
    %3 = stablehlo.dot_general %1, %2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<40x16xf32>, tensor<16x40xf32>) -> tensor<40x40xf32>
    %cst = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<40x40xf32>
    %5 = stablehlo.multiply %3, %4 : tensor<40x40xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %6 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<40x40xi1>
    %7 = call @tril_3(%6) : (tensor<40x40xi1>) -> tensor<40x40xi1>
    %cst_0 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %8:2 = call @_where_4(%7, %5, %cst_0) : (tensor<40x40xi1>, tensor<40x40xf32>, tensor<f32>) -> (tensor<40x40xf32>, tensor<40x40xf32>)
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %9 = stablehlo.reduce(%8#0 init: %cst_1) applies stablehlo.maximum across dimensions = [1] : (tensor<40x40xf32>, tensor<f32>) -> tensor<40xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %11 = stablehlo.maximum %10, %9 : tensor<40xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0] : (tensor<40xf32>) -> tensor<40x1xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<40x1xf32>) -> tensor<40x40xf32>
    %14 = stablehlo.subtract %8#0, %13 : tensor<40x40xf32>
    %15 = stablehlo.exponential %14 : tensor<40x40xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.reduce(%15 init: %cst_3) applies stablehlo.add across dimensions = [1] : (tensor<40x40xf32>, tensor<f32>) -> tensor<40xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0] : (tensor<40xf32>) -> tensor<40x1xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<40x1xf32>) -> tensor<40x40xf32>
    %19 = stablehlo.divide %15, %18 : tensor<40x40xf32>
    %20 = stablehlo.multiply %17, %17 : tensor<40x1xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<40x1xf32>
    %22 = stablehlo.divide %21, %20 : tensor<40x1xf32>
    %23 = stablehlo.dot_general %19, %0#0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<40x40xf32>, tensor<40x16xf32>) -> tensor<40x16xf32>
    %24 = stablehlo.tanh %23 : tensor<40x16xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<40x16xf32>
    %26 = stablehlo.subtract %25, %24 : tensor<40x16xf32>
    %27 = stablehlo.multiply %0#2, %26 : tensor<40x16xf32>
    %28 = stablehlo.multiply %27, %24 : tensor<40x16xf32>
    %29 = stablehlo.add %27, %28 : tensor<40x16xf32>
    %30 = stablehlo.dot_general %29, %19, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<40x16xf32>, tensor<40x40xf32>) -> tensor<16x40xf32>
    %31 = stablehlo.transpose %30, dims = [1, 0] : (tensor<16x40xf32>) -> tensor<40x16xf32>
    %32 = stablehlo.dot_general %29, %0#0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<40x16xf32>, tensor<40x16xf32>) -> tensor<40x40xf32>
    %33 = stablehlo.broadcast_in_dim %22, dims = [0, 1] : (tensor<40x1xf32>) -> tensor<40x40xf32>
    %34 = stablehlo.multiply %32, %33 : tensor<40x40xf32>
    %35 = stablehlo.multiply %34, %15 : tensor<40x40xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %36 = stablehlo.reduce(%35 init: %cst_6) applies stablehlo.add across dimensions = [1] : (tensor<40x40xf32>, tensor<f32>) -> tensor<40xf32>
    %37 = stablehlo.reshape %36 : (tensor<40xf32>) -> tensor<40x1xf32>
    %38 = stablehlo.negate %37 : tensor<40x1xf32>
    %39 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<40x1xf32>) -> tensor<40x40xf32>
    %40 = stablehlo.divide %32, %39 : tensor<40x40xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %41 = stablehlo.reduce(%38 init: %cst_7) applies stablehlo.add across dimensions = [1] : (tensor<40x1xf32>, tensor<f32>) -> tensor<40xf32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0] : (tensor<40xf32>) -> tensor<40x40xf32>
    %43 = stablehlo.add %40, %42 : tensor<40x40xf32>
    %44 = stablehlo.multiply %43, %15 : tensor<40x40xf32>
    %45 = call @_where_5(%7, %8#1, %44) : (tensor<40x40xi1>, tensor<40x40xf32>, tensor<40x40xf32>) -> tensor<40x40xf32>
    %cst_8 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<40x40xf32>
    %47 = stablehlo.multiply %45, %46 : tensor<40x40xf32>
    %48 = stablehlo.dot_general %47, %1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<40x40xf32>, tensor<40x16xf32>) -> tensor<40x16xf32>
    %49 = stablehlo.transpose %48, dims = [1, 0] : (tensor<40x16xf32>) -> tensor<16x40xf32>
    %50 = stablehlo.dot_general %47, %2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<40x40xf32>, tensor<16x40xf32>) -> tensor<40x16xf32>
    %51 = stablehlo.transpose %49, dims = [1, 0] : (tensor<16x40xf32>) -> tensor<40x16xf32>
    %52 = stablehlo.add %31, %51 : tensor<40x16xf32>
    %53 = stablehlo.dot_general %50, %0#0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<40x16xf32>, tensor<40x16xf32>) -> tensor<16x16xf32>
    %54 = stablehlo.transpose %53, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %55 = stablehlo.dot_general %50, %0#1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<40x16xf32>, tensor<16x16xf32>) -> tensor<40x16xf32>
    %56 = stablehlo.add %52, %55 : tensor<40x16xf32>
    return %56, %54 : tensor<40x16xf32>, tensor<16x16xf32>
  }
  func.func private @tril_3(%arg0: tensor<40x40xi1>) -> tensor<40x40xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<40x40xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<40x40xi32>
    %2 = stablehlo.add %0, %1 : tensor<40x40xi32>
    %3 = stablehlo.iota dim = 1 : tensor<40x40xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<40x40xi32>, tensor<40x40xi32>) -> tensor<40x40xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<40x40xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<40x40xi1>, tensor<40x40xi1>
    return %6 : tensor<40x40xi1>
  }
  func.func private @_where_4(%arg0: tensor<40x40xi1>, %arg1: tensor<40x40xf32>, %arg2: tensor<f32>) -> (tensor<40x40xf32>, tensor<40x40xf32>) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<40x40xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<40x40xi1>, tensor<40x40xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<40x40xf32>
    return %2, %3 : tensor<40x40xf32>, tensor<40x40xf32>
  }
  func.func private @_where_5(%arg0: tensor<40x40xi1>, %arg1: tensor<40x40xf32>, %arg2: tensor<40x40xf32>) -> tensor<40x40xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<40x40xf32>
    %1 = stablehlo.select %arg0, %arg2, %0 : tensor<40x40xi1>, tensor<40x40xf32>
    return %1 : tensor<40x40xf32>
  }
  func.func private @dynamic_update_index_in_dim_6(%arg0: tensor<2x16x16xf32>, %arg1: tensor<16x16xf32>, %arg2: tensor<i32>) -> tensor<2x16x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<16x16xf32>) -> tensor<1x16x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<2x16x16xf32>, tensor<1x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x16x16xf32>
    return %1 : tensor<2x16x16xf32>
  }
}
